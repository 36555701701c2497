import { type ComponentProps, useEffect, useState } from 'react'
import { Field } from './field'

/** A password input. Where script runs, a button shows or hides what was typed, and sending a form hides it. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, 'type' | 'control'>) {
  const [hasScript, setHasScript] = useState(false)
  const [shown, setShown] = useState(false)
  useEffect(() => {
    setHasScript(true)
    // A browser would remember the text of a visible field and offer it to the next person.
    const hide = () => setShown(false)
    document.addEventListener('submit', hide)
    return () => document.removeEventListener('submit', hide)
  }, [])
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      control={
        hasScript && (
          <button
            type="button"
            className="link absolute inset-y-0 right-1 px-3 font-semibold"
            aria-pressed={shown}
            aria-controls={props.name}
            onClick={() => setShown(!shown)}
          >
            Show<span className="sr-only"> {props.label.toLowerCase()}</span>
          </button>
        )
      }
    />
  )
}
