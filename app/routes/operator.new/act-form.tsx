import { useLingui } from '@lingui/react/macro'
import { Control } from '~/forms/control'
import type { FieldState } from '~/forms/refusal'
import type { UpdatePicture } from '~/ledger/update-picture'
import { useLanguage } from '~/locales/react'
import type { Field } from '~/operator/kinds'
import { PictureFields } from '~/pictures/picture-fields'
import { useLangOfEnglish } from '~/ui/words'

/** An act's form, with the fields of its kind. The entered values are saved first and checked afterwards. */
export function ActForm({
  act,
  version,
  picture,
  fields,
  field,
  withPicture,
  button,
}: {
  /** The id of the act's draft. */
  act: string
  /** The revision of the subject when the form was opened. */
  version: number | null
  picture: UpdatePicture | null
  fields: Field[]
  field: (name: string) => FieldState
  withPicture: boolean
  button: string
}) {
  return (
    <form
      method="post"
      encType={withPicture ? 'multipart/form-data' : undefined}
      noValidate
      className="mt-6 grid max-w-2xl gap-5"
    >
      <input type="hidden" name="act" value={act} />
      {version !== null && <input type="hidden" name="version" value={version} />}
      {fields.map((each) => (
        <ActField key={each.name} field={each} state={field(each.name)} />
      ))}
      {withPicture && <ActPicture picture={picture} field={field} />}
      <p>
        <button type="submit" className="button button-ink">
          {button}
        </button>
      </p>
    </form>
  )
}

function ActPicture({
  picture,
  field,
}: {
  picture: UpdatePicture | null
  field: (name: string) => FieldState
}) {
  const lang = useLangOfEnglish()
  const shown = picture && {
    src: picture.path,
    alt: picture.alt,
    lang: picture.alt ? lang : undefined,
    width: picture.width,
    height: picture.height,
  }
  return (
    <PictureFields picture={shown} description="picture_alt" field={field}>
      <input type="hidden" name="picture_path" value={picture?.path} />
      <input type="hidden" name="picture_width" value={picture?.width} />
      <input type="hidden" name="picture_height" value={picture?.height} />
    </PictureFields>
  )
}

/** The keyboards that phones show. */
const inputModes: Partial<Record<Field['input'], 'numeric' | 'decimal' | 'url' | 'email'>> = {
  count: 'numeric',
  rate: 'decimal',
  link: 'url',
  email: 'email',
}

function ActField({ field, state }: { field: Field; state: FieldState }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { label, input, hint, shortest, options = [] } = field
  const { defaultValue: value = '' } = state
  const required = shortest > 0
  const shared = { className: 'field', required }
  return (
    <Control {...state} label={i18n._(label)} hint={hint && i18n._(hint)} optional={!required}>
      {(attributes) =>
        input === 'text' || input === 'links' ? (
          <textarea
            {...attributes}
            {...shared}
            rows={input === 'links' ? 3 : 6}
            dir={input === 'links' ? 'ltr' : 'auto'}
          />
        ) : input === 'choice' ? (
          <select {...attributes} {...shared}>
            {!(required && value) && <option value="">{required ? t`Choose` : t`None`}</option>}
            {value && !options.some((option) => option.value === value) && (
              <option value={value}>{value}</option>
            )}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {i18n._(option.label)}
              </option>
            ))}
          </select>
        ) : (
          <input
            {...attributes}
            {...shared}
            {...(input === 'time'
              ? // The browser's own control; the form reads its value as UTC.
                { type: 'datetime-local', step: 1, defaultValue: value.replace(/(\.000)?Z$/, '') }
              : { type: 'text', inputMode: inputModes[input] })}
            dir={input === 'line' ? 'auto' : 'ltr'}
            autoComplete="off"
          />
        )
      }
    </Control>
  )
}
