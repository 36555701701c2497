import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon'

/** Figures side by side, as a ledger closes a column: the total over a double rule. */
export function Stats({ children }: { children: ReactNode }) {
  return <dl className="stats">{children}</dl>
}

/** One figure. Null is one that can't be had right now: it is said, and never shown as zero. */
export function Stat({
  icon,
  label,
  value,
  note,
}: {
  icon: IconName
  label: string
  value: string | null
  note?: ReactNode
}) {
  return (
    <div className="stat">
      <dt className="flex items-center gap-3 font-semibold">
        <span className="icon-block">
          <Icon name={icon} />
        </span>
        {label}
      </dt>
      <dd>
        {value === null ? (
          <span className="font-display text-2xl text-muted">Unavailable</span>
        ) : (
          <span className="stat-figure">{value}</span>
        )}
      </dd>
      {note && <dd className="text-muted">{note}</dd>}
    </div>
  )
}
