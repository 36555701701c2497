import { ph } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLanguage } from '../platform/locales/react'
import { When } from '../platform/ui/when'
import { chainName } from './record'
import type { Scan } from './scan.server'

/** The age of the last read, in milliseconds, from which pages warn. The job reads every minute. */
const lateAfter = 15 * 60_000

interface Props {
  scan: Scan | null
  /** Null in the demonstration, which reads no blockchain. */
  now: number | null
}

/** The time of the last read of the blockchain. A script adds the age. */
export function ScanAge({ scan, now }: Props) {
  const { i18n, formats } = useLanguage()
  if (!scan) return null
  const { chainId, blockNumber, scannedAt } = scan
  return (
    <p className="figures mt-2 max-w-[65ch] text-muted">
      <Trans>
        Last checked {ph({ chain: i18n._(chainName(chainId)) })}:{' '}
        <When date={scannedAt} ageing={now !== null} /> (block{' '}
        {ph({ blockNumber: formats.count(blockNumber) })}).
      </Trans>
    </p>
  )
}

/** A warning that the last read is too old; a script shows it if that happens on an open page. */
export function ScanWarning({ scan, now }: Props) {
  if (!scan || now === null) return null
  return (
    <p className="notice" data-late={lateAfter / 1000} hidden={now - scan.scannedAt.getTime() < lateAfter}>
      <Trans>
        <strong>This page is behind.</strong> We normally check the blockchain every minute. Newer payments
        are safe and will show up once we catch up.
      </Trans>
    </p>
  )
}
