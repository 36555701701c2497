import { msg } from '@lingui/core/macro'
import { causePhrase, causeTitle } from '~/donate/cause-phrase'
import type { I18n } from '~/locales/i18n'

/** The goal of a gift; its title is null if it is hidden or was withdrawn. */
export interface GoalCause {
  slug: string
  title: string | null
}

/** What a gift goes to: the slug of an account, and the goal if it is one. */
export interface Cause {
  to: string
  goal: GoalCause | null
}

/** What a gift goes to, inside a sentence: 'Education', 'the treasury', or the title of a goal. */
export function phraseOf({ to, goal }: Cause, i18n: I18n): string {
  return (goal ? goal.title : causePhrase(to, i18n)) ?? i18n._(msg`this goal`)
}

/** The same as a title. */
export function titleOf({ to, goal }: Cause, i18n: I18n): string {
  return goal ? (goal.title ?? i18n._(msg`A goal`)) : causeTitle(to, i18n)
}
