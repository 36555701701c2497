import { Trans, useLingui } from '@lingui/react/macro'
import { type Field as ActFieldOf, shareInput } from '~/acts/forms/fields'
import { splitNames } from '~/ledger/split'
import { shareName } from '~/ledger/split-words'
import type { UpdatePicture } from '~/ledger/update-picture'
import { PictureFields } from '~/members/pictures/picture-fields'
import type { Payee } from '~/payments/payees.server'
import { Control, FieldFault } from '~/platform/forms/control'
import { Field } from '~/platform/forms/field'
import type { FieldState } from '~/platform/forms/refusal'
import { useLanguage } from '~/platform/locales/react'
import { useLangOfEnglish } from '~/platform/ui/words'
import { PayeeField } from './order-fields'

/** An act's form, with the fields of its kind. The entered values are saved first and checked afterwards. */
export function ActForm({
  act,
  version,
  picture,
  fields,
  field,
  withPicture,
  payees,
  button,
}: {
  /** The id of the act's draft. */
  act: string
  /** The revision of the subject when the form was opened. */
  version: number | null
  picture: UpdatePicture | null
  fields: ActFieldOf[]
  field: (name: string) => FieldState
  withPicture: boolean
  /** The recipients that an order can have; null for another kind. */
  payees: Payee[] | null
  button: string
}) {
  const { i18n } = useLanguage()
  return (
    <form
      method="post"
      encType={withPicture ? 'multipart/form-data' : undefined}
      noValidate
      className="mt-6 grid max-w-2xl gap-5"
    >
      <input type="hidden" name="act" value={act} />
      {version !== null && <input type="hidden" name="version" value={version} />}
      {fields
        .filter(isBesidePicture(false))
        .map((each) =>
          payees && each.name === 'to' ? (
            <PayeeField key="to" payees={payees} label={i18n._(each.label)} state={field('to')} />
          ) : payees && each.options?.length === 1 ? (
            <input key={each.name} type="hidden" name={each.name} value={each.options[0]?.value} />
          ) : each.input === 'shares' ? (
            <SharesField key={each.name} field={each} state={field(each.name)} />
          ) : (
            <ActField key={each.name} field={each} state={field(each.name)} />
          ),
        )}
      {withPicture && (
        <ActPicture picture={picture} field={field} fields={fields.filter(isBesidePicture(true))} />
      )}
      <p>
        <button type="submit" className="button button-ink">
          {button}
        </button>
      </p>
    </form>
  )
}

/** Whether a field is about the photograph of an update. */
const isBesidePicture =
  (wanted: boolean) =>
  ({ name }: ActFieldOf) =>
    ['person', 'consent'].includes(name) === wanted

interface PictureProps {
  picture: UpdatePicture | null
  field: (name: string) => FieldState
  /** The fields about the people on the photograph. */
  fields: ActFieldOf[]
}

function ActPicture({ picture, field, fields }: PictureProps) {
  const lang = useLangOfEnglish()
  const shown = picture && {
    src: picture.path,
    alt: picture.alt,
    lang: picture.alt ? lang : undefined,
    width: picture.width,
    height: picture.height,
  }
  return (
    <PictureFields
      picture={shown}
      description="picture_alt"
      field={field}
      facts={<Caption {...{ field, fields }} />}
    >
      <input type="hidden" name="picture_path" value={picture?.path} />
      <input type="hidden" name="picture_width" value={picture?.width} />
      <input type="hidden" name="picture_height" value={picture?.height} />
    </PictureFields>
  )
}

/** Who is on a photograph, where and when: a donor looks for one named face first. */
function Caption({ field, fields }: Omit<PictureProps, 'picture'>) {
  const { t } = useLingui()
  return (
    <>
      <p className="text-muted">
        <Trans>
          Best is a photograph of one adult who agreed to be shown, with their name. A drawing only if there
          is no photograph.
        </Trans>
      </p>
      <Field
        {...field('picture_who')}
        label={t`Who is on it`}
        hint={t`A first name and a role, like "Amina, teacher". Leave it empty if no one can be recognised.`}
        autoComplete="off"
        dir="auto"
      />
      {fields.map((each) => (
        <ActField key={each.name} field={each} state={field(each.name)} />
      ))}
      <Field
        {...field('picture_where')}
        label={t`Where`}
        hint={t`A town or a region, not an address.`}
        autoComplete="off"
        dir="auto"
      />
      <Field
        {...field('picture_when')}
        label={t`When it was taken`}
        hint={t`Like "September 2025".`}
        autoComplete="off"
        dir="auto"
      />
    </>
  )
}

/** The percentages, one for each share of the fees. */
function SharesField({ field: { label, hint }, state }: { field: ActFieldOf; state: FieldState }) {
  const { i18n } = useLanguage()
  const { name, defaultValue = '', error, isFirst } = state
  const typed = defaultValue.split(' ')
  return (
    <fieldset aria-describedby={error && `${name}-error`} className="grid gap-1.5">
      <legend className="font-semibold">{i18n._(label)}</legend>
      {hint && <p className="text-sm text-muted">{i18n._(hint)}</p>}
      <div className="grid gap-3 sm:grid-cols-3">
        {splitNames.map((part, at) => (
          <Field
            key={part}
            {...(at === 0 && { id: name })}
            name={shareInput(name, part)}
            label={i18n._(shareName(part))}
            defaultValue={typed[at]}
            isFirst={at === 0 && isFirst}
            inputMode="numeric"
            autoComplete="off"
            dir="ltr"
          />
        ))}
      </div>
      <FieldFault id={`${name}-error`}>{error}</FieldFault>
    </fieldset>
  )
}

/** The keyboards that phones show. */
const inputModes: Partial<Record<ActFieldOf['input'], 'numeric' | 'decimal' | 'url' | 'email'>> = {
  count: 'numeric',
  rate: 'decimal',
  link: 'url',
  email: 'email',
}

function ActField({ field, state }: { field: ActFieldOf; state: FieldState }) {
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
