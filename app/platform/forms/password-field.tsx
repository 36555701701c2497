import { Trans, useLingui } from '@lingui/react/macro'
import { type ComponentProps, useEffect, useState } from 'react'
import { useLanguage } from '../locales/react'
import { Field } from './field'
import { fieldsOf, type RefusedForm } from './refusal'

/**
 * A password input. No page repeats a password, so after a refusal the field is empty and says so. With
 * JavaScript, a button shows or hides the password, and sending the form hides the password.
 */
export function PasswordField({
  refused,
  ...props
}: Omit<ComponentProps<typeof Field>, 'type' | 'control' | 'note'> & { refused: RefusedForm | undefined }) {
  const { t } = useLingui()
  const { locale } = useLanguage()
  const [hasScript, setHasScript] = useState(false)
  const [shown, setShown] = useState(false)
  useEffect(() => {
    setHasScript(true)
    // A browser would store the text of a visible password field and offer it to the next person.
    const hide = () => setShown(false)
    document.addEventListener('submit', hide)
    return () => document.removeEventListener('submit', hide)
  }, [])
  // Only English labels change to lower case: in other languages, nouns may need their capital letters.
  const label = locale.code === 'en' ? props.label.toLowerCase() : props.label
  return (
    <Field
      {...fieldsOf(refused)(props.name)}
      {...props}
      note={refused && t`Type the password again.`}
      type={shown ? 'text' : 'password'}
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      control={
        hasScript && (
          <button
            type="button"
            className="link absolute inset-y-0 end-1 px-3 font-semibold"
            aria-pressed={shown}
            aria-controls={props.name}
            onClick={() => setShown(!shown)}
          >
            <Trans comment="A button that shows the typed password; the name of the field is for screen readers">
              Show<span className="sr-only"> {label}</span>
            </Trans>
          </button>
        )
      }
    />
  )
}
