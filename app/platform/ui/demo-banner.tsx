import { Trans, useLingui } from '@lingui/react/macro'

/** Marks every page of `npm run demo`. `data-demo` stops the script that sends payments. */
export function DemoBanner() {
  const { t } = useLingui()
  return (
    <aside
      aria-label={t`Demonstration`}
      data-demo=""
      className="border-b border-hairline bg-panel px-4 py-1.5 text-center text-xs font-semibold text-balance"
    >
      <Trans>
        Demo: all figures, names, payments and wallets are made up. Don't send money to any address here.
      </Trans>
    </aside>
  )
}
