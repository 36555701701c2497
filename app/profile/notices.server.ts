import type { Notice } from '../forms/notice'
import { setNotice } from '../forms/notice.server'
import type { CookieJar } from '../server/cookies.server'

/** What a redirect after saving the profile may announce. */
export const profileNotices = {
  'profile-saved': { title: 'Success', text: 'Profile updated successfully' },
} as const satisfies Record<string, Notice>

/** Shows on the next page that the profile was saved. */
export function announceSaved(cookies: CookieJar): void {
  setNotice(cookies, 'profile-saved' satisfies keyof typeof profileNotices)
}
