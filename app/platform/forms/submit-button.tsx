import { useLingui } from '@lingui/react/macro'
import { useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { useStalled } from './stalled'

/**
 * The submit button of a form. While the page navigates or a form is sent, the button is disabled, with the
 * text 'Loading...' (spec §2). On a page with several forms, `intent` is the value of the field `intent` in
 * this form: only the button of the sent form gets that text. A button whose request gets no answer can be pressed again.
 */
export function SubmitButton({
  intent,
  className = 'button button-ink',
  children,
}: {
  intent?: string
  className?: string
  children: ReactNode
}) {
  const { t } = useLingui()
  const { state, formData } = useNavigation()
  const isStalled = useStalled()
  const pending = state !== 'idle' && !isStalled
  const own = pending && (intent === undefined || formData?.get('intent') === intent)
  return (
    <button type="submit" className={className} disabled={pending}>
      {own ? t`Loading...` : children}
    </button>
  )
}
