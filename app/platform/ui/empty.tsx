import type { ReactNode } from 'react'

/** Replaces an empty list with an outline drawing and a sentence. */
export function Empty({ drawing, children }: { drawing: string; children: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-5 py-10 text-center">
      <img src={drawing} alt="" width="240" height="120" loading="lazy" />
      {children}
    </div>
  )
}
