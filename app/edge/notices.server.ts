import { authNotices } from '../auth/auth-notices.server'
import type { NoticeMessage } from '../forms/notice'
import { goalNotices } from '../fundme/goal-notices.server'
import { profileNotices } from '../profile/profile-notices.server'
import { voteNotices } from '../votes/vote-notices.server'

/**
 * The toasts that the page after a redirect may show, by key. The cookie contains a key from this list, never
 * text.
 */
export const notices: Record<string, NoticeMessage> = {
  ...authNotices,
  ...profileNotices,
  ...goalNotices,
  ...voteNotices,
}
