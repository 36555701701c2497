import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useLanguage } from '~/platform/locales/react'

/**
 * A form that leads from a transaction hash to the payment confirmation. `minutes`: the time until a gift is
 * listed.
 */
export function FindPayment({ minutes }: { minutes: number }) {
  const { t } = useLingui()
  const { href } = useLanguage()
  return (
    <form action={href('/donate/find')} method="get" className="border-t-2 border-ink pt-4">
      <label htmlFor="hash" className="font-display text-xl font-semibold">
        <Trans>Sent it? Paste the transaction hash</Trans>
      </label>
      <p className="mt-1 text-muted">
        <Trans>
          Your app shows it after you send: 0x and 64 characters, also named TxID. About{' '}
          <Plural value={minutes} one="# minute" other="# minutes" /> later the payment is final and in the
          ledger.
        </Trans>
      </p>
      <span className="mt-3 flex flex-wrap gap-3">
        <input
          type="text"
          id="hash"
          name="hash"
          required
          title={t`0x and 64 characters (0 to 9, a to f)`}
          autoComplete="off"
          spellCheck={false}
          placeholder="0x…"
          dir="ltr"
          className="field min-w-0 flex-[1_1_12rem]"
        />
        <button type="submit" className="button">
          <Trans>Show</Trans>
        </button>
      </span>
    </form>
  )
}
