import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { count, line, shares } from '../acts/forms/fields'
import type { Kind } from '../acts/forms/kind'

/** Checks that a split can be between the least and the most percentages. */
function splitFault(values: Record<string, string>): [string, MessageDescriptor] | null {
  const [least = [], most = []] = [values.least, values.most].map((text) =>
    (text ?? '').split(' ').map(Number),
  )
  const sum = (parts: number[]) => parts.reduce((all, part) => all + part, 0)
  if (sum(least) > 100) return ['least', msg`The least percentages may add up to at most 100.`]
  if (sum(most) < 100) return ['most', msg`The most percentages must add up to at least 100.`]
  if (least.some((part, at) => part > (most[at] ?? 0)))
    return ['most', msg`Each of the most percentages must be at least the least one.`]
  return null
}

/** The acts about votes. */
export const voteActs = {
  'split-vote': {
    title: msg`Open a vote on the split of the fees`,
    done: msg`Opened a vote on the split of the fees`,
    people: 2,
    effect: msg`Token holders vote on the shares of the monthly allocation. A valid result applies to monthly allocations from the next month on. There is at most one such vote in 30 days.`,
    subject: 'none',
    fields: [
      count('days', msg`Days until the end`, { longest: 2, hint: msg`From 7 to 14.` }),
      shares('least', msg`Least percentages`, {
        hint: msg`Whole numbers. A ballot can't name less.`,
      }),
      shares('most', msg`Most percentages`, {
        hint: msg`Whole numbers. A ballot can't name more.`,
      }),
    ],
    shortestReason: 0,
    check: splitFault,
    nameOf: (_, i18n) => i18n._(msg`The split of the fees`),
    pageOf: ({ subject, madeKind }) => (subject && madeKind ? `/giveback/${subject}/votes` : null),
  },
  redraw: {
    title: msg`Draw a void vote again`,
    done: msg`Let a void vote be drawn again`,
    people: 2,
    effect: msg`Three votes on this were void, because blocks of the blockchain changed. The site draws another block. If blocks did not change, someone is looking for a block that suits them: check them in a block explorer first.`,
    subject: 'required',
    fields: [
      line('blocks', msg`Blocks`, {
        hint: msg`The three block numbers of the newest void votes, oldest first, with spaces. The entries "void" of the log name them.`,
      }),
    ],
    shortestReason: 10,
    pageOf: ({ subject }) => (subject ? `/giveback/${subject}/votes` : null),
  },
} satisfies Record<string, Kind>
