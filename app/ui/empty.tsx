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
