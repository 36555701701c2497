import type { InputHTMLAttributes, ReactNode } from 'react'
import { Control, type ControlProps } from './control'

type Own = Omit<ControlProps, 'children'>

/** A labelled input with its hint and its faults. `control`: a button at the end of the input. */
export function Field({
  name,
  id,
  label,
  hint,
  note,
  optional,
  defaultValue,
  error,
  errorLang,
  isFirst,
  control,
  ...input
}: Own & Omit<InputHTMLAttributes<HTMLInputElement>, keyof Own> & { control?: ReactNode }) {
  return (
    <Control {...{ name, id, label, hint, note, optional, defaultValue, error, errorLang, isFirst }}>
      {(attributes) => (
        <div className="relative">
          <input type="text" {...input} {...attributes} className={control ? 'field pe-24' : 'field'} />
          {control}
        </div>
      )}
    </Control>
  )
}
