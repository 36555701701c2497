import type { ReactNode } from 'react'

/** A list without rows: the outline of what will stand there, and the sentence. */
export function Empty({ drawing, children }: { drawing: string; children: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-5 py-10 text-center">
      <img src={drawing} alt="" width="240" height="120" loading="lazy" />
      {children}
    </div>
  )
}

/** A list that can't be read right now. */
export function Silent({ what }: { what: string }) {
  return (
    <p className="notice" role="note">
      <strong>{what} can't be read right now.</strong> The service that keeps the ledger does not answer.
      Nothing is lost: what is on the chain stays there, and this page fills itself again as soon as the
      service is back.
    </p>
  )
}
