import type { ReactNode } from 'react'
import type { RefusedForm } from './refusal'

/** Says at the top of a form why it was refused: `children`, or its message unless a field says it. */
export function Refused({ form, children }: { form: RefusedForm | undefined; children?: ReactNode }) {
  const words = children ?? (form && Object.keys(form.errors).length === 0 && form.notice?.text)
  if (!form || !words) return null
  return (
    <p role="alert" className="notice border-s-4 border-bad bg-bad-wash">
      {words}
    </p>
  )
}
