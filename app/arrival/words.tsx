import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type Arrival, arrivalWords } from '../ledger/arrivals'
import { PageLink, useLanguage } from '../platform/locales/react'
import type { Exchange } from './answers.server'
import type { Given, Strength } from './strengths'

/** What a recipient said. */
export const answerWords: Record<Given, MessageDescriptor> = {
  yes: msg`Yes, it arrived`,
  but: msg`Yes, but…`,
  no: msg`No, it didn't arrive`,
}

/** Who says so: in three strengths, which are never added up. */
export function StrengthWords({
  said: { strength, by, second, answer },
}: {
  said: { strength: Strength; by: string | null; second: string | null; answer?: Given }
}) {
  switch (strength) {
    case 'wallet':
      // A no confirms nothing.
      return answer === 'no' ? (
        <Trans>signed by the wallet that was paid</Trans>
      ) : (
        <Trans>confirmed by the recipient: the wallet that was paid signed it</Trans>
      )
    case 'mail':
      return (
        <Trans>
          answered by mail, address entered by {by} and {second}
        </Trans>
      )
    case 'print':
      return <Trans>answered on a link that we printed, by {by}</Trans>
  }
}

/** Why the wallet that was paid signs no answer. */
export function ExchangeWords({ said: { by, second } }: { said: Exchange }) {
  return (
    <Trans>
      {by} and {second} say that this wallet belongs to an exchange, so its owner can't sign. An answer by
      mail or on paper is a weaker proof.
    </Trans>
  )
}

/** The state of a payment in a list; nothing if its recipient was not asked. A no is as loud as a mismatch. */
export function ArrivalMark({ id, state }: { id: number; state: Arrival | undefined }) {
  const { i18n } = useLanguage()
  if (!state) return null
  const words = i18n._(arrivalWords[state])
  return (
    <span className={`text-sm ${state === 'no' ? 'font-semibold text-bad' : 'text-muted'}`}>
      {state === 'no' || state === 'but' ? (
        <PageLink to={`/transparency/${id}#arrival`} className="link">
          {words}
        </PageLink>
      ) : (
        words
      )}
    </span>
  )
}
