import { useLanguage } from '../platform/locales/react'
import { When } from '../platform/ui/when'
import { type ComplaintReason, complaintReasons } from './complaint-reasons'
import { MemberText } from './goal-words'

/** Members' complaints about a goal, without their authors. */
export function ComplaintList({
  complaints,
}: {
  complaints: readonly { reason: ComplaintReason; text: string; madeAt: Date }[]
}) {
  const { i18n } = useLanguage()
  return (
    <ul className="mt-4 grid max-w-3xl gap-4">
      {complaints.map(({ reason, text, madeAt }) => (
        <li key={`${madeAt.toISOString()} ${text}`} className="border-t border-hairline pt-3">
          <p className="font-semibold">{i18n._(complaintReasons[reason])}</p>
          <MemberText className="mt-1">{text}</MemberText>
          <p className="mt-1 text-sm text-muted">
            <When date={madeAt} />
          </p>
        </li>
      ))}
    </ul>
  )
}
