import { Trans } from '@lingui/react/macro'
import { EntryLink } from '../ledger/entry-link'
import { When } from '../platform/ui/when'
import { EnglishWords } from '../platform/ui/words'
import type { IntroducedOperator } from './published-acts.server'

/** Operators: who they say they are, their handles, and since when they publish. */
export function OperatorList({ operators }: { operators: IntroducedOperator[] }) {
  return (
    <ul className="grid gap-x-12 md:grid-cols-2">
      {operators.map((operator) => (
        <li
          key={operator.handle}
          data-key={operator.handle}
          className="border-t border-hairline py-3 wrap-anywhere"
        >
          <Operator operator={operator} />
        </li>
      ))}
    </ul>
  )
}

function Operator({ operator: { handle, since, until, introduction } }: { operator: IntroducedOperator }) {
  return (
    <>
      <p className="font-display text-lg font-semibold">
        {introduction ? <EnglishWords>{introduction.name}</EnglishWords> : handle}
      </p>
      {introduction && (
        <p>
          <EnglishWords>{`${introduction.role}.`}</EnglishWords>{' '}
          {introduction.holdsKey ? <Trans>Holds a key of our wallets.</Trans> : <Trans>Holds no key.</Trans>}
        </p>
      )}
      <p className="figures flex flex-wrap items-baseline gap-x-3 text-sm text-muted">
        {introduction && <span>{handle}</span>}
        <span>
          {until ? (
            <Trans context="operator" comment="The days on which an operator began and ended">
              <When date={since} day /> to <When date={until} day />
            </Trans>
          ) : (
            <Trans context="operator" comment="The day on which an operator began">
              since <When date={since} day />
            </Trans>
          )}
        </span>
        {introduction?.link && (
          <a href={introduction.link} className="link" rel="noopener nofollow me">
            <bdi dir="ltr">{introduction.link.replace('https://', '').split(/[/?#]/, 1)[0]}</bdi>
          </a>
        )}
        {introduction && <EntryLink logIndex={introduction.logIndex} />}
      </p>
    </>
  )
}
