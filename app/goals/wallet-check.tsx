import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useRouteLoaderData } from '@remix-run/react'
import { WholeHash } from '../ledger/hash'
import { Gap, useLanguage } from '../platform/locales/react'
import { When } from '../platform/ui/when'
import type { WalletCheck as Check } from './reviewed-goals.server'

const faults: Record<NonNullable<Check['fault']>, MessageDescriptor> = {
  proof: msg`The member's proof of the wallet is not valid.`,
  ours: msg`The wallet is one of our own.`,
  used: msg`The wallet has sent something before.`,
  holds: msg`The wallet holds an accepted token.`,
}

/** A goal's wallet, and the result of its newest check. */
export function WalletCheck({
  wallet,
  check,
  isWaiting,
}: {
  wallet: string | null
  check: Check | null
  isWaiting: boolean
}) {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const isDemo = useRouteLoaderData<{ demo: boolean }>('root')?.demo
  return (
    <div className="mt-4 grid max-w-3xl gap-2">
      {wallet && <WholeHash value={wallet} kind="address" what={t`wallet address`} />}
      {check ? (
        <p>
          {i18n._(
            check.fault
              ? faults[check.fault]
              : msg`The member has proven it, it is not one of our wallets, it has sent nothing, and it holds no accepted token.`,
          )}
          <Gap />
          <span className="text-muted">
            <Trans>
              Checked <When date={check.checked_at} />, at block {formats.count(check.block_number)}.
            </Trans>
          </span>
        </p>
      ) : (
        isWaiting && (
          <p>
            {isDemo ? (
              <Trans>Not checked: the demonstration reads no blockchain.</Trans>
            ) : (
              <Trans>Not checked yet. The schedule checks it each hour while the goal waits.</Trans>
            )}
          </p>
        )
      )}
    </div>
  )
}
