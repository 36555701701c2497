import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { DraftField } from '~/goals/draft.server'

/** The labels of the fields of a goal's form. */
export const draftLabels: Record<DraftField, MessageDescriptor> = {
  title: msg`Title`,
  byline: msg({ message: 'Who asks', comment: 'The label of a field: who asks for money' }),
  category: msg`Category`,
  target: msg`Target in US dollars`,
  days: msg`Days`,
  plan: msg({ message: 'Plan', comment: 'What the money is for' }),
  story: msg({ message: 'Story', comment: 'Why someone asks for money' }),
  links: msg`Links`,
  picture_text: msg`What the picture shows`,
  wallet: msg`Wallet`,
}
