import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Icon } from '../platform/ui/icon'

/** Replaces figures that cannot be read. */
export function FiguresUnavailable() {
  return (
    <Notice>
      <Trans>
        <strong>We can't load the figures right now.</strong> We'd rather show nothing than a wrong number.
        Everything else on this page works.
      </Trans>
    </Notice>
  )
}

/** Replaces a list that cannot be read. `what`: another first sentence, which ends with 'right now.' */
export function ListUnavailable({ what }: { what?: string }) {
  const { t } = useLingui()
  const sentence = what ?? t`We can't load this list right now.`
  return (
    <Notice>
      <Trans>
        <strong>{sentence}</strong> Nothing is lost: every payment is on the blockchain. Please try again in a
        minute.
      </Trans>
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
