import { ph } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { hasPayments, spentOfGiven } from '~/ledger/totals'
import type { Totals } from '~/ledger/totals.server'
import { FiguresUnavailable } from '~/ledger/unavailable'
import { useLanguage } from '~/platform/locales/react'
import { Stat, Stats } from '~/platform/ui/stat'

/** The three totals in one line. The page shows each of them once. */
export function Figures({ totals }: { totals: Totals | null }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const spent = totals && spentOfGiven(totals)
  const started = hasPayments(totals)
  return (
    <section id="ledger-figures" data-live="ledger" aria-label={t`So far`}>
      <Stats slim>
        <Stat
          icon="treasury"
          label={t`Treasury`}
          value={totals && formats.roundDollars(totals.treasuryUsd)}
          note={started && <Trans>still to be given</Trans>}
        />
        <Stat
          icon="donated"
          label={t`Donated`}
          value={totals && formats.roundDollars(totals.donatedUsd)}
          note={
            started &&
            (totals && spent !== null && spent < totals.donatedUsd ? (
              <Trans>causes spent {ph({ spent: formats.roundDollars(spent) })} of it</Trans>
            ) : (
              <Trans>given to pools and to other causes</Trans>
            ))
          }
        />
        <Stat
          icon="dreams"
          label={t`Dreams Funded`}
          value={totals && formats.roundDollars(totals.dreamsFundedUsd)}
          note={started && <Trans>paid from the treasury</Trans>}
        />
      </Stats>
      {!totals && <FiguresUnavailable />}
    </section>
  )
}
