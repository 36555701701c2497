import type { Notice } from '../forms/notice'
import { noticeCookie, setNotice } from '../forms/notice.server'
import type { CookieJar } from '../server/cookies.server'

/** The toasts that a redirect of the sign-in and account pages may announce, by key. */
export const authNotices = {
  'signed-in': { title: 'Welcome back!', text: 'You have successfully signed in.' },
  'signed-up': { title: 'Account created!', text: 'You have successfully signed up.' },
  'wallet-signed-in': { title: 'Welcome!', text: 'You have signed in with your wallet.' },
  'factor-added': {
    title: 'Success',
    text: "Two-step sign-in is on. We'll ask for a code when you sign in.",
  },
  'factor-removed': { title: 'Success', text: 'App removed. Its codes no longer work.' },
  'link-expired': { title: 'Error', text: 'Email link is invalid or has expired', destructive: true },
  'link-elsewhere': {
    title: 'Error',
    text: 'Open the link in the browser where you asked for it.',
    destructive: true,
  },
  'link-refused': { title: 'Error', text: 'The sign-in was refused. Please try again.', destructive: true },
  'link-failed': { title: 'Error', text: 'An error occurred', destructive: true },
  'two-cookies': {
    title: 'Signed out',
    text: "Your browser sent two sign-in cookies with the same name, so we used neither. Delete this site's cookies, then sign in again.",
    destructive: true,
  },
  'mail-requested': { title: 'Success', text: 'If you have an account, another email is on its way.' },
  'email-mailed': {
    title: 'Check your email',
    text: 'We sent a link to confirm. If both addresses got one, open both. Nothing came? Check the new address for typos.',
  },
  'email-other-address': { title: 'One more step', text: 'Now open the link we sent to your other address.' },
  'email-changed': { title: 'Success', text: 'Email changed successfully' },
  'password-changed': {
    title: 'Success',
    text: 'Password changed successfully. Your other devices are signed out.',
  },
  'password-changed-only': {
    title: 'Password changed',
    text: 'Your other devices are still signed in. Please try again below.',
    destructive: true,
  },
  'wallet-proven': { title: 'Success', text: "We now list this wallet's donations." },
  'wallet-revoked': { title: 'Success', text: 'Wallet removed from your account.' },
  'wallet-not-revoked': {
    title: 'Error',
    text: "We couldn't remove the wallet. Please try again.",
    destructive: true,
  },
  'session-not-ended': {
    title: 'Signed out on this device only',
    text: "We couldn't reach the sign-in service, so your session may still be open there. To end it, sign in again later and sign out on all devices.",
    destructive: true,
  },
  'account-deleted': {
    title: 'Account deleted',
    text: 'We deleted your profile, your pools and your sign-in.',
  },
  'others-signed-out': { title: 'Success', text: 'Your other devices are signed out.' },
  'all-signed-out': { title: 'Success', text: 'You are signed out on all devices.' },
  'only-signed-out': {
    title: 'Signed out on this device only',
    text: "We couldn't sign out your other devices. They may still be signed in.",
    destructive: true,
  },
} as const satisfies Record<string, Notice>

export type AuthNoticeKey = keyof typeof authNotices

/** Shows one of `authNotices` on the next page. */
export function announce(cookies: CookieJar, key: AuthNoticeKey): void {
  setNotice(cookies, key)
}

/** Whether this notice is pending. */
export function isAnnounced(cookies: CookieJar, key: AuthNoticeKey): boolean {
  return cookies.get(noticeCookie) === key
}
