import type { Notice } from '../forms/notice'
import { setNotice } from '../forms/notice.server'
import type { CookieJar } from '../server/cookies.server'

/** What a redirect of the account pages may announce on the page that it leads to. */
export const authNotices = {
  'signed-in': { title: 'Welcome back!', text: 'You have successfully signed in.' },
  'signed-up': { title: 'Account created!', text: 'You have successfully signed up.' },
  'wallet-signed-in': { title: 'Welcome!', text: 'You have signed in with your wallet.' },
  'factor-added': { title: 'Success', text: 'Second factor added. It will be asked for when you sign in.' },
  'factor-removed': { title: 'Success', text: 'Second factor removed' },
  'link-expired': { title: 'Error', text: 'Email link is invalid or has expired', destructive: true },
  'link-elsewhere': {
    title: 'Error',
    text: 'Please open the link in the browser that asked for it.',
    destructive: true,
  },
  'link-refused': { title: 'Error', text: 'The sign-in was refused.', destructive: true },
  'link-failed': { title: 'Error', text: 'An error occurred', destructive: true },
  'two-cookies': {
    title: 'Signed out',
    text: 'Your browser sent two sign-in cookies of one name, so neither was used. Delete the cookies of this site, then sign in again.',
    destructive: true,
  },
  'mail-asked': { title: 'Success', text: 'If there is an account, another mail is on its way.' },
  'email-mailed': {
    title: 'Check your mailbox',
    text: 'Open the link that we have sent, at both addresses where both get one. If none arrives, the new address may be mistyped or taken.',
  },
  'email-half': { title: 'One more step', text: 'Now open the link that your other address has got.' },
  'email-changed': { title: 'Success', text: 'E-mail address changed successfully' },
  'password-changed': {
    title: 'Success',
    text: 'Password changed successfully. Your other devices are signed out.',
  },
  'password-changed-only': {
    title: 'Password changed',
    text: 'But your other devices could not be signed out. Please try it again below.',
    destructive: true,
  },
  'account-deleted': { title: 'Account deleted', text: 'Everything that belonged to it is gone.' },
  'others-signed-out': { title: 'Success', text: 'Your other devices are signed out.' },
  'all-signed-out': { title: 'Success', text: 'You are signed out on all devices.' },
  'only-signed-out': {
    title: 'Signed out on this device only',
    text: 'The service did not answer, so your other devices may still be signed in.',
    destructive: true,
  },
} as const satisfies Record<string, Notice>

export type AuthNoticeKey = keyof typeof authNotices

/** Shows one of `authNotices` on the next page. */
export function announce(cookies: CookieJar, key: AuthNoticeKey): void {
  setNotice(cookies, key)
}
