import { useLingui } from '@lingui/react/macro'
import { Control } from '~/platform/forms/control'
import { Field } from '~/platform/forms/field'
import { fieldsOf, type RefusedForm } from '~/platform/forms/refusal'

// The fields with which a member signs a text in a wallet app and returns the signature by hand.

const plain = { autoComplete: 'off', spellCheck: false, dir: 'ltr' } as const

export function AddressField({ address, isWrong }: { address: string | null; isWrong: boolean }) {
  const { t } = useLingui()
  return (
    <Field
      {...plain}
      label={t`Wallet Address`}
      hint={t`It starts with 0x and has 42 characters.`}
      error={isWrong ? t`This is not the address of a wallet.` : undefined}
      name="address"
      defaultValue={address ?? ''}
    />
  )
}

/** The text to sign, in the field `name`, and its signature. */
export function SigningFields({
  name,
  text,
  label,
  hint,
  refused,
}: {
  name: string
  text: string
  label: string
  hint: string
  refused: RefusedForm | undefined
}) {
  const { t } = useLingui()
  return (
    <>
      <Control name={name} defaultValue={text} label={label} hint={hint}>
        {(attributes) => (
          <textarea
            {...attributes}
            readOnly
            rows={11}
            dir="ltr"
            lang="en"
            className="field hash field-sizing-content text-sm"
          />
        )}
      </Control>
      <Field
        {...plain}
        {...fieldsOf(refused)('signature')}
        label={t`Signature`}
        hint={t`Your wallet app shows it after you sign. It starts with 0x.`}
      />
    </>
  )
}
