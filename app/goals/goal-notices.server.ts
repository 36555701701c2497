import { msg } from '@lingui/core/macro'
import type { NoticeMessage } from '../platform/forms/notice'
import { setNotice } from '../platform/forms/notice.server'
import type { CookieJar } from '../platform/server/cookies.server'
import { brand } from '../platform/site'

/** The toasts after a change to a goal, by key. A redirect announces one of them. */
export const goalNotices = {
  'goal-submitted': {
    title: msg`Success`,
    // The first two sentences are the specification's; the third says what is so until votes exist.
    text: msg`Fund pool submitted for review! Token holders will vote on it. Voting is not open yet: two operators decide now.`,
  },
  'goal-submitted-to-vote': {
    title: msg`Success`,
    text: msg`Fund pool submitted for review! Token holders will vote on it. Two operators read it first.`,
  },
  'goal-deleted': { title: msg`Success`, text: msg`Draft deleted` },
  'goal-taken-back': { title: msg`Success`, text: msg`Taken back. It's a draft again.` },
  'goal-ended': { title: msg`Success`, text: msg`Your goal has ended` },
  'goal-updated': { title: msg`Success`, text: msg`Update published` },
  'goal-update-waits': {
    title: msg`Success`,
    text: msg`Received. It names ${brand}, so an operator reads it before it is public.`,
  },
  'goal-reported': { title: msg`Success`, text: msg`Final report published` },
} as const satisfies Record<string, NoticeMessage>

/** Shows a toast on the next page. */
export function announceGoal(cookies: CookieJar, key: keyof typeof goalNotices): void {
  setNotice(cookies, key)
}
