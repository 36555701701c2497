import { useLingui } from '@lingui/react/macro'
import { useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'

/**
 * The submit button of a form. While the page navigates or a form is sent, the button is disabled, with the
 * text 'Loading...' (spec §2). On a page with several forms, `intent` is the value of the field `intent` in
 * this form: only the button of the sent form gets that text.
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
  const pending = state !== 'idle'
  const own = pending && (intent === undefined || formData?.get('intent') === intent)
  return (
    <button type="submit" className={className} disabled={pending}>
      {own ? t`Loading...` : children}
    </button>
  )
}
