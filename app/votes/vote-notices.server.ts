import { msg } from '@lingui/core/macro'
import type { NoticeMessage } from '../platform/forms/notice'
import { setNotice } from '../platform/forms/notice.server'
import type { CookieJar } from '../platform/server/cookies.server'

/** The toasts after a ballot was handed in, by key. */
export const voteNotices = {
  'ballot-support': {
    title: msg`Success`,
    text: msg`Vote submitted! Thank you for supporting this cause.`,
  },
  'ballot-against': { title: msg`Success`, text: msg`Vote submitted!` },
} as const satisfies Record<string, NoticeMessage>

/** Shows a toast on the next page. */
export function announceBallot(cookies: CookieJar, key: keyof typeof voteNotices): void {
  setNotice(cookies, key)
}
