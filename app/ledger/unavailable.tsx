import type { ReactNode } from 'react'
import { Icon } from '../ui/icon'

/** Shown in place of figures that cannot be read. */
export function FiguresUnavailable() {
  return (
    <Notice>
      <strong>Figures are unavailable right now.</strong> The service that keeps the ledger does not answer.
      Rather than a wrong number we show none; everything else on this page works.
    </Notice>
  )
}

/** Shown in place of a list that cannot be read. */
export function ListUnavailable({ what }: { what: string }) {
  return (
    <Notice>
      <strong>{what} can't be read right now.</strong> The service that keeps the ledger does not answer.
      Nothing is lost: what is on the chain stays there, and this page fills again as soon as the service is
      back.
    </Notice>
  )
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="panel mt-6 flex gap-4" role="note">
      <span className="icon-block">
        <Icon name="silent" />
      </span>
      <p className="max-w-[65ch]">{children}</p>
    </div>
  )
}
