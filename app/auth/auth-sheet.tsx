import type { ReactNode } from 'react'
import type { RefusedForm } from '../forms/refusal'
import { Toast } from '../forms/toast'
import { AuthServiceNotice } from './auth-service-notice'

/** The frame of every sign-in page: the toast for a rejected form, a title and the content. */
export function AuthSheet({
  title,
  refused,
  children,
}: {
  title: string
  refused?: RefusedForm | undefined
  children: ReactNode
}) {
  return (
    <div className="column grid justify-items-center py-section">
      <Toast key={refused?.id} notice={refused?.notice} />
      <section className="sheet w-full max-w-md" aria-labelledby="sheet-title">
        <h1 id="sheet-title" className="text-heading">
          {title}
        </h1>
        <AuthServiceNotice status={refused?.status} />
        {children}
      </section>
    </div>
  )
}
