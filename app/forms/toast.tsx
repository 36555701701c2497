import type { Notice } from './notice'

/** A notice, announced once, that closes without script: a form whose method is 'dialog' closes its dialog. */
export function Toast({ notice }: { notice: Notice | null | undefined }) {
  if (!notice) return null
  const tone = notice.destructive ? 'border-bad bg-bad-wash' : 'border-good bg-good-wash'
  return (
    <div role={notice.destructive ? 'alert' : 'status'} className="toast">
      {/* Two toasts can be on a page, so they are not labelled by an id. */}
      <dialog open aria-label={notice.title} className={`toast-box ${tone}`}>
        <div>
          <p className={`font-semibold ${notice.destructive ? 'text-bad' : 'text-good'}`}>{notice.title}</p>
          <p>{notice.text}</p>
        </div>
        <form method="dialog">
          <button type="submit" className="toast-close" aria-label="Dismiss">
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <path d="M3 3l10 10M13 3L3 13" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
            </svg>
          </button>
        </form>
      </dialog>
    </div>
  )
}
