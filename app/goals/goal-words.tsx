import { Trans, useLingui } from '@lingui/react/macro'
import { ShownPicture } from '../ledger/shown-picture'
import { useLanguage } from '../platform/locales/react'
import { WordsOfMember } from '../platform/ui/words'
import { type PlanLine, sumPlan } from './plan'

/** The texts and the picture of a goal. A text is null if it is missing, hidden or withdrawn. */
export interface GoalText {
  byline: string | null
  category: string | null
  story: string | null
  links: readonly string[]
  plan: readonly PlanLine[] | null
  picture: { path: string; text: string } | null
}

/** The texts and the picture of a goal, which the page shows below the title. */
export function GoalWords({ goal }: { goal: GoalText }) {
  return (
    <>
      <GoalLead goal={goal} />
      <GoalStory goal={goal} />
    </>
  )
}

/** The author, the category and the picture of a goal. The picture is never cropped. */
export function GoalLead({ goal: { byline, category, picture } }: { goal: GoalText }) {
  return (
    <>
      <p className="text-muted">
        {byline && (
          <Trans comment="Who asks for money">
            By <bdi lang="">{byline}</bdi>
          </Trans>
        )}
        {byline && category && ' · '}
        {category && <bdi lang="">{category}</bdi>}
      </p>
      {picture && (
        <ShownPicture picture={{ ...picture, alt: picture.text }} lang="" className="update-picture mt-4" />
      )}
    </>
  )
}

/** The story, links and plan of a goal. */
export function GoalStory({ goal: { story, links, plan } }: { goal: GoalText }) {
  return (
    <>
      {story && <MemberText className="mt-4">{story}</MemberText>}
      <GoalLinks links={links} />
      {plan && plan.length > 0 && <GoalPlan plan={plan} />}
    </>
  )
}

/** A member's text, with its line breaks. */
export function MemberText({ className = '', children }: { className?: string; children: string }) {
  return (
    <p className={`${className} max-w-[65ch] whitespace-pre-line wrap-anywhere`} dir="auto" lang="">
      {children}
    </p>
  )
}

/** A member's links, with host names. Unless operators have read them (`areRead`), they are text. */
export function GoalLinks({ links, areRead = true }: { links: readonly string[]; areRead?: boolean }) {
  const { t } = useLingui()
  if (links.length === 0) return null
  return (
    <ul className="mt-3 grid gap-1 text-sm" aria-label={t`Links`}>
      {links.map((link) => (
        <li key={link}>
          {areRead ? (
            <a href={link} className="link inline-block py-0.5 wrap-anywhere" rel="nofollow ugc noopener">
              <bdi dir="ltr">{link.replace('https://', '')}</bdi>
            </a>
          ) : (
            <bdi dir="ltr" className="wrap-anywhere">
              {link}
            </bdi>
          )}
        </li>
      ))}
    </ul>
  )
}

function GoalPlan({ plan }: { plan: readonly PlanLine[] }) {
  const { formats } = useLanguage()
  return (
    <table className="figures mt-6 w-full max-w-[65ch]">
      <caption className="text-start font-semibold">
        <Trans comment="The title of a table: what the money is for">The plan</Trans>
      </caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">
            <Trans>What for</Trans>
          </th>
          <th scope="col">
            <Trans>Amount</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {plan.map((line, place) => (
          // The order of a plan never changes on a page, and two lines may be equal.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <tr key={place} className="border-t border-hairline">
            <td className="py-2 pe-4 wrap-anywhere">
              <WordsOfMember>{line.what}</WordsOfMember>
            </td>
            <td className="py-2 text-end align-top">
              {line.amount !== null && formats.dollars(line.amount)}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t-2 border-ink font-semibold">
          <th scope="row" className="py-2 pe-4 wrap-anywhere">
            <Trans comment="The last line of a table of amounts">Together</Trans>
          </th>
          <td className="py-2 text-end">{formats.dollars(sumPlan(plan))}</td>
        </tr>
      </tfoot>
    </table>
  )
}
