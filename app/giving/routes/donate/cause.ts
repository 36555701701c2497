import { msg } from '@lingui/core/macro'
import { causePhrase, causeTitle } from '~/giving/cause-phrase'
import type { I18n } from '~/platform/locales/i18n'

/** The goal of a gift; `title` is null if the goal is hidden or its title was withdrawn. */
export interface GoalCause {
  slug: string
  title: string | null
}

/** The recipient of a gift: the slug of an account or of a goal. */
export interface Cause {
  to: string
  goal: GoalCause | null
}

/** The recipient of a gift inside a sentence: 'Education', 'the treasury', or the title of a goal. */
export function phraseOf({ to, goal }: Cause, i18n: I18n): string {
  return (goal ? goal.title : causePhrase(to, i18n)) ?? i18n._(msg`this goal`)
}

/** The recipient of a gift as a title. */
export function titleOf({ to, goal }: Cause, i18n: I18n): string {
  return goal ? (goal.title ?? i18n._(msg`A goal`)) : causeTitle(to, i18n)
}
