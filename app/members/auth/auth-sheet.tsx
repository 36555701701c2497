import type { ReactNode } from 'react'
import type { RefusedForm } from '../../platform/forms/refusal'
import { Toast } from '../../platform/forms/toast'
import { NarrowSheet } from '../../platform/ui/narrow-sheet'
import { AuthServiceNotice } from './auth-service-notice'

/** The frame of every sign-in page: the toast for a rejected form, a title and the content. */
export function AuthSheet({
  title,
  refused,
  className = '',
  children,
}: {
  title: string
  refused?: RefusedForm | undefined
  className?: string
  children: ReactNode
}) {
  return (
    <NarrowSheet
      title={title}
      before={<Toast key={refused?.id} notice={refused?.notice} />}
      className={className}
    >
      <AuthServiceNotice status={refused?.status} />
      {children}
    </NarrowSheet>
  )
}
