import { msg } from '@lingui/core/macro'
import { hash, line, link, text, time, timeHint } from '../acts/forms/fields'
import type { Kind } from '../acts/forms/kind'

/** The acts about statements. */
export const statementActs = {
  statement: {
    title: msg`Publish a statement`,
    correction: msg`Correct a statement`,
    done: msg`Published a statement`,
    corrected: msg`Corrected a statement`,
    people: 1,
    effect: msg`It appears on CZ Call at once, as 'Not confirmed'. Another operator must confirm it.`,
    subject: 'either',
    fields: [
      link('link', msg`Link`, { hint: msg`The address of the post.` }),
      text('text', msg`Text`, { hint: msg`Word for word.` }),
      line('author', msg`Author`),
      time('posted', msg`Posted`, { hint: timeHint }),
      text('action', msg`Action taken`),
      time('captured', msg`Read at its address`, { optional: true, hint: msg`In UTC. Left empty: now.` }),
      hash('tx', msg`Payment that followed`, {
        optional: true,
        hint: msg`The hash of its transaction: 0x and 64 characters.`,
      }),
    ],
    mail: msg`Those who follow CZ Call get a confirmed statement by email once its payment is verified.`,
    shortestReason: 0,
    pageOf: ({ madeKind }) => (madeKind ? '/cz-call' : null),
    isConfirmedLater: true,
  },
  confirmation: {
    title: msg`Confirm a statement`,
    done: msg`Confirmed a statement`,
    people: 1,
    subject: 'required',
    fields: [text('how', msg`How you confirmed it`, { shortest: 10, longest: 500 })],
    mail: msg`Those who follow CZ Call get this statement by email once its payment is verified.`,
    shortestReason: 0,
    pageOf: ({ madeKind }) => (madeKind ? '/cz-call' : null),
  },
} satisfies Record<string, Kind>
