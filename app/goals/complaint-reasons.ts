import { msg } from '@lingui/core/macro'

/** The reasons for a complaint, in the words of the form and of the operators; as in the database. */
export const complaintReasons = {
  scam: msg`It is a scam`,
  'not-their-story': msg`They tell someone else's story`,
  impersonation: msg`It uses someone else's name or picture`,
  privacy: msg`It tells someone's private matters`,
  offensive: msg`It is offensive`,
  other: msg`Something else`,
}
export type ComplaintReason = keyof typeof complaintReasons

export function isComplaintReason(text: string): text is ComplaintReason {
  return Object.hasOwn(complaintReasons, text)
}
