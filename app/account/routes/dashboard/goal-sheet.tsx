import { Trans, useLingui } from '@lingui/react/macro'
import { ListUnavailable } from '~/ledger/unavailable'
import { Sheet } from '~/platform/ui/section'
import type { GoalCard } from './goal-cards.server'
import { EmptyPools, Progress } from './pool-list'

const create = '/dashboard/goals/new'

/** The member's goals with stage and received money, in place of the list of pools while FundMe is open. */
export default function GoalSheet({ goals }: { goals: GoalCard[] | null }) {
  const { t } = useLingui()
  return (
    <Sheet
      heading="pools-title"
      title={t`My FundMe Pools`}
      action={
        <a href={create} className="button">
          <Trans>Create Pool</Trans>
        </a>
      }
    >
      {!goals && <ListUnavailable />}
      {goals?.length === 0 && <EmptyPools to={create} />}
      <ul className="mt-2">
        {goals?.map(({ id, title, stage, tone, current, target }) => (
          <li key={id} className="grid gap-3 py-6 last:pb-0">
            <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
              <h3 className="min-w-0 text-xl wrap-anywhere" dir="auto" lang="">
                {title ?? t`Without a title`}
              </h3>
              <span className={`badge ${tone}`}>{stage}</span>
            </div>
            {target !== null && <Progress current={current} goal={target} />}
            <div>
              <a href={`/dashboard/goals/${id}`} className="button">
                <Trans>View Details</Trans>
                <span className="sr-only" lang="">
                  {' '}
                  {title}
                </span>
              </a>
            </div>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
