import { Trans, useLingui } from '@lingui/react/macro'
import { fieldAttributes } from '~/forms/field'
import type { UpdatePicture } from '~/ledger/update-picture'
import { Sentence, useLanguage } from '~/locales/react'
import type { Field } from '~/operator/kinds'
import { useLangOfEnglish } from '~/ui/words'

/** The state of an act's form. */
export interface FormState {
  /** The id of the act's draft. */
  act: string
  /** The revision of the subject when the form was opened. */
  version: number | null
  /** The entered values. */
  values: Record<string, string>
  picture: UpdatePicture | null
  /** The first fault that was found. */
  error: { field: string; message: string } | null
}

/** An act's form, with the fields of its kind. The entered values are saved first and checked afterwards. */
export function ActForm({
  state: { act, version, values, picture, error },
  fields,
  withPicture,
  button,
}: {
  state: FormState
  fields: Field[]
  withPicture: boolean
  button: string
}) {
  const messageOf = (name: string) => (error?.field === name ? error.message : undefined)
  return (
    <form
      method="post"
      encType={withPicture ? 'multipart/form-data' : undefined}
      noValidate
      className="mt-6 grid max-w-2xl gap-5"
    >
      <input type="hidden" name="act" value={act} />
      {version !== null && <input type="hidden" name="version" value={version} />}
      {fields.map((field) => (
        <Control
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          error={messageOf(field.name)}
        />
      ))}
      {withPicture && (
        <PictureFields
          picture={picture}
          alt={values.picture_alt ?? ''}
          errors={{ picture: messageOf('picture'), alt: messageOf('picture_alt') }}
        />
      )}
      <p>
        <button type="submit" className="button button-ink">
          {button}
        </button>
      </p>
    </form>
  )
}

/** The keyboards that phones show. */
const inputModes: Partial<Record<Field['input'], 'numeric' | 'decimal' | 'url' | 'email'>> = {
  count: 'numeric',
  rate: 'decimal',
  link: 'url',
  email: 'email',
}

function Control({ field, value, error }: { field: Field; value: string; error: string | undefined }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { name, label, input, shortest, options = [] } = field
  const hint = field.hint && i18n._(field.hint)
  const required = shortest > 0
  const attributes = fieldAttributes(name, { ...(hint !== undefined && { hint }), error })
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={name} className="font-semibold">
        {i18n._(label)}
        {!required && (
          <span className="font-normal text-muted">
            {' '}
            <Trans>(optional)</Trans>
          </span>
        )}
      </label>
      {input === 'text' || input === 'links' ? (
        <textarea
          {...attributes}
          rows={input === 'links' ? 3 : 6}
          dir={input === 'links' ? 'ltr' : 'auto'}
          className="field"
          required={required}
          defaultValue={value}
        />
      ) : input === 'choice' ? (
        <select {...attributes} className="field" required={required} defaultValue={value}>
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
          {...(input === 'time'
            ? // The browser's own control; the form reads its value as UTC.
              { type: 'datetime-local', step: 1, defaultValue: value.replace(/(\.000)?Z$/, '') }
            : { type: 'text', inputMode: inputModes[input], defaultValue: value })}
          dir={input === 'line' ? 'auto' : 'ltr'}
          className="field"
          required={required}
          autoComplete="off"
        />
      )}
      {hint && (
        <p id={`${name}-hint`} className="text-sm text-muted">
          <Sentence>{hint}</Sentence>
        </p>
      )}
      <FieldError name={name} error={error} />
    </div>
  )
}

function FieldError({ name, error }: { name: string; error: string | undefined }) {
  if (!error) return null
  return (
    <p id={`${name}-error`} className="text-sm font-semibold text-bad">
      <Sentence>{error}</Sentence>
    </p>
  )
}

/**
 * The fields of one picture and its description. A stored picture remains until the operator replaces or
 * removes it.
 */
function PictureFields({
  picture,
  alt,
  errors,
}: {
  picture: UpdatePicture | null
  alt: string
  errors: { picture: string | undefined; alt: string | undefined }
}) {
  const { t } = useLingui()
  const lang = useLangOfEnglish()
  const altHint = t`Describe the picture for people who cannot see it. Required if you add a picture.`
  const hint = t`JPEG, PNG, WebP or AVIF, up to 10 MB. We remove its metadata, such as the place.`
  return (
    <fieldset className="grid gap-5 rounded-block border border-hairline p-5">
      <legend className="px-1 font-semibold">
        <Trans>Picture</Trans>{' '}
        <span className="font-normal text-muted">
          <Trans>(optional)</Trans>
        </span>
      </legend>
      {picture && (
        <div className="grid justify-items-start gap-2">
          <img
            src={picture.path}
            alt={picture.alt || t`The stored picture`}
            lang={picture.alt ? lang : undefined}
            width={picture.width}
            height={picture.height}
            className="h-auto max-h-64 w-auto max-w-full rounded-block"
          />
          <input type="hidden" name="picture_path" value={picture.path} />
          <input type="hidden" name="picture_width" value={picture.width} />
          <input type="hidden" name="picture_height" value={picture.height} />
          <label className="flex min-h-11 items-center gap-2">
            <input type="checkbox" name="picture_remove" value="yes" className="size-5" />
            <Trans>Remove this picture</Trans>
          </label>
        </div>
      )}
      <div className="grid content-start gap-1.5">
        <label htmlFor="picture" className="font-semibold">
          {picture ? t`Another picture instead` : t`File`}
        </label>
        <input
          {...fieldAttributes('picture', { hint, error: errors.picture })}
          type="file"
          accept="image/jpeg,image/png,image/webp,image/avif"
          className="field"
        />
        <p id="picture-hint" className="text-sm text-muted">
          <Sentence>{hint}</Sentence>
        </p>
        <FieldError name="picture" error={errors.picture} />
      </div>
      <div className="grid content-start gap-1.5">
        <label htmlFor="picture_alt" className="font-semibold">
          <Trans>What the picture shows</Trans>
        </label>
        <input
          {...fieldAttributes('picture_alt', {
            hint: altHint,
            error: errors.alt,
          })}
          type="text"
          dir="auto"
          className="field"
          autoComplete="off"
          defaultValue={alt}
        />
        <p id="picture_alt-hint" className="text-sm text-muted">
          {altHint}
        </p>
        <FieldError name="picture_alt" error={errors.alt} />
      </div>
    </fieldset>
  )
}
