import type { MessageDescriptor } from '@lingui/core'
import type { I18n } from '../../platform/locales/i18n'
import type { Field } from './fields'

/** What an act was about, and the row that it made; null before the act is done. */
export interface ActSubject {
  subject: string | null
  madeKind: string | null
  madeId: string | number | null
}

/** A kind of act. Each domain declares its own; the row of private.act_kinds has the same people and fields. */
export interface Kind {
  /** The title of the form. */
  title: MessageDescriptor
  /** The title of the form that corrects a published subject. */
  correction?: MessageDescriptor
  /** The words in the public record for the act, and for a correction. */
  done: MessageDescriptor
  corrected?: MessageDescriptor
  /** The number of operators that the act needs. */
  people: 1 | 2
  /** The field that makes an act of one operator one of two, if it has a value. */
  twoWith?: string
  /**
   * What the act does to the page and the wallet of its subject, what becomes public, and whether the act can
   * be undone. The page shows this text above the button. The number of operators and the emails have
   * sentences of their own (act-effect.tsx).
   */
  effect?: MessageDescriptor
  /** Whether the act removes something for ever, or takes something from someone: its button is red. */
  isHarsh?: true
  /** Whether the act is about an existing subject. `either`: it creates a subject or corrects one. */
  subject: 'none' | 'required' | 'either'
  fields: readonly Field[]
  /** The rule that concerns two fields, or other data of the site: the name of the wrong field and its fault. */
  check?(values: Record<string, string>): [string, MessageDescriptor] | null
  /** The minimum length of the reason in characters; 0 if it may be empty. `longestReason` is the maximum. */
  shortestReason: number
  /** Who can read the reason; missing if everyone can (schemas.ts). */
  reasonHint?: MessageDescriptor
  /** Whether the act has no reason: the entry has the hash of another text in its place. */
  hasNoReason?: true
  /** Whether only operators and the member who owns the goal can read the reason. */
  isReasonPrivate?: true
  /** Whether another operator confirms later what one operator did; `effect` says so. */
  isConfirmedLater?: true
  /** Who gets an email of the act, while the site sends emails. */
  mail?: MessageDescriptor
  /** Whether the act is about a goal: its form is on the goal's page, and its member sees it on their dashboard. */
  isAboutGoal?: true
  /** Whether one press does the act, on a page of its own. */
  hasOwnForm?: true
  /** Whether only the command line does the act. */
  isCommand?: true
  /** The name of the subject in a list; missing if the subject is a name itself. */
  nameOf?(subject: string, i18n: I18n): string
  /** The public page that shows what the act did; null if no page shows it. */
  pageOf?(made: ActSubject): string | null
}

/** Whether an act with these values needs a second operator. */
export function needsTwo({ people, twoWith }: Kind, values: Record<string, string>): boolean {
  return people === 2 || Boolean(twoWith && values[twoWith])
}

export const longestReason = 500
