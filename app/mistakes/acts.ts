import { msg } from '@lingui/core/macro'
import type { Kind } from '../acts/forms/kind'
import { mistakesPath } from './paths'

/** The act about mistakes: its reason is the sentence beside the mistake. */
export const mistakeActs = {
  'mistake-note': {
    title: msg`Say something about a mistake`,
    done: msg`Said something about a mistake`,
    people: 1,
    effect: msg`Your sentence is shown beside the mistake, with your handle. It changes and removes nothing.`,
    subject: 'required',
    fields: [],
    reasonHint: msg`What happened, or what you did about it. Everyone can read it.`,
    shortestReason: 10,
    pageOf: () => mistakesPath,
  },
} satisfies Record<string, Kind>
