import { msg } from '@lingui/core/macro'
import type { NoticeMessage } from '../../platform/forms/notice'
import { noticeCookie, setNotice } from '../../platform/forms/notice.server'
import type { CookieJar } from '../../platform/server/cookies.server'

/** The toasts, keyed by name, that the page after a sign-in form or an account form may show. */
export const authNotices = {
  'signed-in': { title: msg`Welcome back!`, text: msg`You have successfully signed in.` },
  'signed-up': { title: msg`Account created!`, text: msg`You have successfully signed up.` },
  'wallet-signed-in': { title: msg`Welcome!`, text: msg`You have signed in with your wallet.` },
  'factor-added': {
    title: msg`Success`,
    text: msg`Two-step sign-in is on. We'll ask for a code when you sign in.`,
  },
  'factor-removed': { title: msg`Success`, text: msg`App removed. Its codes no longer work.` },
  'link-expired': { title: msg`Error`, text: msg`Email link is invalid or has expired`, destructive: true },
  'link-elsewhere': {
    title: msg`Error`,
    text: msg`Open the link in the browser where you asked for it.`,
    destructive: true,
  },
  'link-refused': {
    title: msg`Error`,
    text: msg`The sign-in was refused. Please try again.`,
    destructive: true,
  },
  'link-failed': { title: msg`Error`, text: msg`An error occurred`, destructive: true },
  'two-cookies': {
    title: msg`Signed out`,
    text: msg`Your browser sent two sign-in cookies with the same name, so we used neither. Delete this site's cookies, then sign in again.`,
    destructive: true,
  },
  'mail-requested': { title: msg`Success`, text: msg`If you have an account, another email is on its way.` },
  'email-mailed': {
    title: msg`Check your email`,
    text: msg`We sent a link to confirm. If both addresses got one, open both. Nothing came? Check the new address for typos.`,
  },
  'email-other-address': {
    title: msg`One more step`,
    text: msg`Now open the link we sent to your other address.`,
  },
  'email-changed': { title: msg`Success`, text: msg`Email changed successfully` },
  'password-changed': {
    title: msg`Success`,
    text: msg`Password changed successfully. Your other devices are signed out.`,
  },
  'password-changed-only': {
    title: msg`Password changed`,
    text: msg`Your other devices are still signed in. Please try again below.`,
    destructive: true,
  },
  'wallet-proven': { title: msg`Success`, text: msg`We now list this wallet's donations.` },
  'wallet-revoked': { title: msg`Success`, text: msg`Wallet removed from your account.` },
  'wallet-not-revoked': {
    title: msg`Error`,
    text: msg`We couldn't remove the wallet. Please try again.`,
    destructive: true,
  },
  'session-not-ended': {
    title: msg`Signed out on this device only`,
    text: msg`We couldn't reach the sign-in service, so your session may still be open there. To end it, sign in again later and sign out on all devices.`,
    destructive: true,
  },
  'account-deleted': {
    title: msg`Account deleted`,
    text: msg`We deleted your profile, your pools and your sign-in.`,
  },
  'signed-out': { title: msg`Signed out`, text: msg`You are signed out on this device.` },
  'others-signed-out': { title: msg`Success`, text: msg`Your other devices are signed out.` },
  'all-signed-out': { title: msg`Success`, text: msg`You are signed out on all devices.` },
  'only-signed-out': {
    title: msg`Signed out on this device only`,
    text: msg`We couldn't sign out your other devices. They may still be signed in.`,
    destructive: true,
  },
} as const satisfies Record<string, NoticeMessage>

export type AuthNoticeKey = keyof typeof authNotices

/** Shows one of `authNotices` on the next page. */
export function announce(cookies: CookieJar, key: AuthNoticeKey): void {
  setNotice(cookies, key)
}

/** True if this notice is pending. */
export function isAnnounced(cookies: CookieJar, key: AuthNoticeKey): boolean {
  return cookies.get(noticeCookie) === key
}
