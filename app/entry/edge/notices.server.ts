import { custodyNotices } from '../../custody/custody-notices'
import { goalNotices } from '../../goals/goal-notices.server'
import { authNotices } from '../../members/auth/auth-notices.server'
import { profileNotices } from '../../members/profile/profile-notices.server'
import type { NoticeMessage } from '../../platform/forms/notice'
import { voteNotices } from '../../votes/vote-notices.server'

/** The toasts that the page after a redirect may show, by the key that the cookie holds (never text). */
export const notices: Record<string, NoticeMessage> = {
  ...authNotices,
  ...profileNotices,
  ...goalNotices,
  ...voteNotices,
  ...custodyNotices,
}
