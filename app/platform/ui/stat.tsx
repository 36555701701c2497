import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Pictogram, type PictogramName } from './pictogram'

/** Figures side by side: as cards or, if `slim`, as one line on each screen. */
export function Stats({ slim, children }: { slim?: boolean; children: ReactNode }) {
  return <dl className={slim ? 'stats stats-slim' : 'stats'}>{children}</dl>
}

/** One figure. If `value` is null, shows `missing` or "Can't load", and never zero. */
export function Stat({
  icon,
  label,
  value,
  missing,
  note,
}: {
  icon: PictogramName
  label: string
  value: string | null
  missing?: string | undefined
  note?: ReactNode
}) {
  return (
    <div className="stat">
      <dt className="flex items-center gap-3 font-semibold">
        <span className="icon-block">
          <Pictogram name={icon} />
        </span>
        {label}
      </dt>
      <dd>
        {value === null ? (
          <span className="text-muted">
            {missing ?? <Trans comment="In place of a figure">Can't load</Trans>}
          </span>
        ) : (
          <span className={icon === 'donated' ? 'stat-figure stat-given' : 'stat-figure'}>{value}</span>
        )}
      </dd>
      {note && <dd className="text-muted">{note}</dd>}
    </div>
  )
}
