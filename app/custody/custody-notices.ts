import { msg } from '@lingui/core/macro'
import type { NoticeMessage } from '../platform/forms/notice'

/** The toast after a key was shown. */
export const custodyNotices = {
  'key-shown': {
    title: msg`Success`,
    text: msg`Your signature is in the log. Thank you. It is due again in 30 days.`,
  },
} as const satisfies Record<string, NoticeMessage>
