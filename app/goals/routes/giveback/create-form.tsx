import { Trans, useLingui } from '@lingui/react/macro'
import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { ClosedButton } from '~/goals/preview/closed-button'

/** The fields of 'Create Fund Pool'. Until FundMe opens they have no form, so that Enter sends nothing. */
export function CreateForm({ whyClosed }: { whyClosed: string }) {
  const { t } = useLingui()
  return (
    <div className="sheet">
      <fieldset disabled aria-describedby={whyClosed} className="grid gap-5 sm:grid-cols-2">
        <legend className="mb-5 font-display text-xl font-semibold">
          <Trans>Your goal</Trans>
        </legend>
        <Entry label={t({ message: 'Title', comment: 'Of a fundraiser' })} name="title" required wide />
        <Entry label={t`Category`} name="category" required />
        <Entry label={t`Target amount (USD)`} name="targetAmount" type="number" min="1" step="any" required />
        <Entry label={t`Description`} name="description" required wide rows={4} />
        <Entry label={t`Image URL`} name="image" type="url" placeholder="https://" dir="ltr" required wide />
        <Entry label={t`Proof or supporting documents (optional)`} name="proof" wide />
      </fieldset>
      <ClosedButton why={whyClosed} className="mt-5 w-full">
        <Trans>Create Fund Pool</Trans>
      </ClosedButton>
    </div>
  )
}

type EntryProps = { label: string; name: string; wide?: boolean; rows?: number } & Omit<
  InputHTMLAttributes<HTMLInputElement> & TextareaHTMLAttributes<HTMLTextAreaElement>,
  'rows'
>

function Entry({ label, wide, rows, ...control }: EntryProps) {
  const id = `fund-${control.name}`
  return (
    <div className={`grid content-start gap-1.5 ${wide ? 'sm:col-span-2' : ''}`}>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {rows ? (
        <textarea {...control} id={id} rows={rows} className="field" />
      ) : (
        <input type="text" {...control} id={id} className="field" />
      )}
    </div>
  )
}
