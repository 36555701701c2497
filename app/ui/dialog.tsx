import { type ReactNode, useId } from 'react'
import { Icon } from './icon'

/**
 * A detail with an address of its own. Script opens it over the page that links to it (`data-dialog` on the
 * link, enhance/dialogs.ts); without script the address shows it open on that page.
 */
export function Dialog({
  title,
  closeTo,
  children,
}: {
  title: string
  closeTo: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <dialog open className="detail" aria-labelledby={id}>
      <div className="detail-bar">
        <h2 id={id} className="text-heading">
          {title}
        </h2>
        <a href={closeTo} className="detail-close" data-close="" aria-label="Close">
          <Icon name="close" />
        </a>
      </div>
      <div className="p-5 sm:p-7">{children}</div>
    </dialog>
  )
}

/** The page that a dialog stands on. While it does, the page can be seen and not used. */
export function Backdrop({ covered, children }: { covered: boolean; children: ReactNode }) {
  // React 18 does not know `inert` and passes it on as it is.
  return <div {...(covered && { inert: '' })}>{children}</div>
}
