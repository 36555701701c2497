/**
 * The reasons for a complaint, in the words of the form and of the operators' pages. The database has the
 * same reasons.
 */
export const complaintReasons = {
  scam: /* i18n */ 'It is a scam',
  'not-their-story': /* i18n */ "They tell someone else's story",
  impersonation: /* i18n */ "It uses someone else's name or picture",
  privacy: /* i18n */ "It tells someone's private matters",
  offensive: /* i18n */ 'It is offensive',
  other: /* i18n */ 'Something else',
} as const
export type ComplaintReason = keyof typeof complaintReasons

export function isComplaintReason(text: string): text is ComplaintReason {
  return Object.hasOwn(complaintReasons, text)
}
