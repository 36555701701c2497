import { ph, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Transaction } from '~/ledger/transactions.server'
import { Gap } from '~/platform/locales/react'
import { Icon } from '~/platform/ui/icon'
import { When } from '~/platform/ui/when'
import type { PaymentState } from './payment-state'

/**
 * The stages 'Sent', 'In a block' and 'Final and listed', with the times that the ledger has. Of a payment that
 * the ledger does not have, only the script of the browser that sent it shows them.
 */
export function Stages({
  state,
  transfers,
  minutes,
  pool,
}: {
  state: PaymentState
  transfers: Transaction[]
  minutes: number
  pool: string | undefined
}) {
  const { t } = useLingui()
  if (state !== 'unseen' && state !== 'in a block' && state !== 'final') return null
  const [first] = transfers
  const stages = [
    {
      name: t`Sent`,
      done: true,
      text: t`Your wallet or exchange shows its transaction hash.`,
    },
    {
      name: t`In a block`,
      done: state !== 'unseen',
      text: first ? <When date={first.occurredAt} local /> : t`Usually within seconds.`,
    },
    {
      name: t`Final and in the ledger`,
      done: state === 'final',
      text:
        state === 'final' && first ? (
          <>
            {first.checkedAt && (
              <>
                <When date={first.checkedAt} local />
                <br />
              </>
            )}
            <Trans>It can't be undone. It is payment {ph({ id: first.id })} of the ledger.</Trans>
            <Gap />
            {pool && <Trans>It waits in the pool's wallet until the pool spends it.</Trans>}
          </>
        ) : (
          t`About ${plural(minutes, { one: '# minute', other: '# minutes' })} after it reaches the blockchain, so that no one can undo it.`
        ),
    },
  ]
  return (
    <ol
      hidden={state === 'unseen'}
      data-sent={state === 'unseen' ? '' : undefined}
      className="no-print mt-8"
      aria-label={t`Progress of the payment`}
    >
      {stages.map((stage, at) => (
        <StageLine key={stage.name} {...stage} number={at + 1} />
      ))}
    </ol>
  )
}

function StageLine({
  name,
  done,
  text,
  number,
}: {
  name: string
  done: boolean
  text: ReactNode
  number: number
}) {
  return (
    <li className="stage flex gap-4 pb-6">
      <span
        className={`grid size-11 shrink-0 place-items-center rounded-xl border-[1.5px] ${done ? 'border-ink bg-ink text-paper' : 'border-edge text-muted'}`}
      >
        {done ? <Icon name="check" /> : number}
      </span>
      <div className="min-w-0">
        <p className={done ? 'font-semibold' : 'font-semibold text-muted'}>
          {name}
          <span className="sr-only">
            {done ? (
              <Trans comment="After the name of a step, for screen readers">: done</Trans>
            ) : (
              <Trans comment="After the name of a step, for screen readers">: not yet</Trans>
            )}
          </span>
        </p>
        <p className="text-muted" data-when="">
          {text}
        </p>
      </div>
    </li>
  )
}
