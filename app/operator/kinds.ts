/**
 * The acts of operators: the only list of their kinds in TypeScript. Forms, commands and the public record
 * read this list; schemas.ts checks the values. For each kind, the database has the same fields and the same
 * number of required operators (private.fields_of, private.needs_two), and tests/policies/acts.test.ts
 * compares the two lists. The texts are keys (locales/key.ts), which the command line shows without
 * translation.
 */
import { impactPools } from '../impact-pools.ts'
import { ownTypes } from '../ledger/transaction-types.ts'

export interface Field {
  name: string
  label: string
  /** The type of the input. `links` has several links, one on each line; `text` has several lines. */
  input:
    | 'line'
    | 'text'
    | 'time'
    | 'link'
    | 'links'
    | 'choice'
    | 'address'
    | 'hash'
    | 'count'
    | 'rate'
    | 'email'
    | 'handle'
  /** The minimum and maximum length in characters. A field that may be empty has the minimum 0. */
  shortest: number
  longest: number
  hint?: string
  options?: readonly { value: string; label: string }[]
  /** True if the value never becomes public. */
  isPrivate?: true
  /** The command-line option, if its name differs from the name of the field. */
  option?: string
}

interface Kind {
  /** The title of the form. */
  title: string
  /** The title of the form that corrects a published subject. */
  correction?: string
  /** The words in the public record for the act, and for a correction. */
  done: string
  corrected?: string
  /** The number of operators that the act needs. */
  people: 1 | 2
  /**
   * What the act does to the page and the wallet of its subject, what becomes public, and whether the act can
   * be undone. The page shows this text above the button. The number of operators and the emails have
   * sentences of their own (act-effect.tsx).
   */
  effect?: string
  /**
   * Whether the act removes something for ever, or takes something away from someone. If so, the act's button
   * is red.
   */
  isHarsh?: true
  /**
   * Whether the act is about an existing subject. `either`: the act creates a subject or corrects an existing
   * one.
   */
  subject: 'none' | 'required' | 'either'
  fields: readonly Field[]
  /** The minimum length of the reason in characters; 0 if it may be empty. `longestReason` is the maximum. */
  shortestReason: number
  /** Who can read the reason; missing if everyone can (schemas.ts). */
  reasonHint?: string
}

export const longestReason = 500

const timeHint = /* i18n */ 'In UTC, like 2025-11-20T18:30:00Z.'
const pools = impactPools.map(({ slug, title }) => ({ value: slug, label: title }))

export const actKinds = {
  statement: {
    title: /* i18n */ 'Publish a statement',
    correction: /* i18n */ 'Correct a statement',
    done: /* i18n */ 'Published a statement',
    corrected: /* i18n */ 'Corrected a statement',
    people: 1,
    effect: /* i18n */ "It appears on CZ Call at once, as 'Not confirmed'. Another operator must confirm it.",
    subject: 'either',
    fields: [
      {
        name: 'link',
        label: /* i18n */ 'Link',
        input: 'link',
        shortest: 1,
        longest: 2000,
        hint: /* i18n */ 'The address of the post.',
      },
      {
        name: 'text',
        label: /* i18n */ 'Text',
        input: 'text',
        shortest: 1,
        longest: 5000,
        hint: /* i18n */ 'Word for word.',
      },
      { name: 'author', label: /* i18n */ 'Author', input: 'line', shortest: 1, longest: 100 },
      { name: 'posted', label: /* i18n */ 'Posted', input: 'time', shortest: 1, longest: 40, hint: timeHint },
      { name: 'action', label: /* i18n */ 'Action taken', input: 'text', shortest: 1, longest: 5000 },
      {
        ...{
          name: 'captured',
          label: /* i18n */ 'Read at its address',
          input: 'time',
          shortest: 0,
          longest: 40,
        },
        hint: /* i18n */ 'In UTC, like 2025-11-20T18:30:00Z. Left empty: now.',
      },
      {
        ...{ name: 'tx', label: /* i18n */ 'Payment that followed', input: 'hash', shortest: 0, longest: 66 },
        hint: /* i18n */ 'The hash of its transaction: 0x and 64 characters.',
      },
    ],
    shortestReason: 0,
  },
  confirmation: {
    title: /* i18n */ 'Confirm a statement',
    done: /* i18n */ 'Confirmed a statement',
    people: 1,
    subject: 'required',
    fields: [
      {
        ...{
          name: 'how',
          label: /* i18n */ 'How you confirmed it',
          input: 'text',
          shortest: 10,
          longest: 500,
        },
        option: 'confirmed-by',
      },
    ],
    shortestReason: 0,
  },
  update: {
    title: /* i18n */ 'Publish an update of a pool',
    correction: /* i18n */ 'Correct an update of a pool',
    done: /* i18n */ 'Published an update',
    corrected: /* i18n */ 'Corrected an update',
    people: 1,
    subject: 'either',
    fields: [
      { name: 'pool', label: /* i18n */ 'Pool', input: 'choice', shortest: 1, longest: 50, options: pools },
      { name: 'text', label: /* i18n */ 'Text', input: 'text', shortest: 1, longest: 5000 },
      {
        name: 'links',
        label: /* i18n */ 'Links',
        input: 'links',
        shortest: 0,
        longest: 5000,
        hint: /* i18n */ 'One on each line.',
      },
      { name: 'dated', label: /* i18n */ 'Dated', input: 'time', shortest: 1, longest: 40, hint: timeHint },
      {
        name: 'helping',
        label: /* i18n */ 'Number of people or animals helped',
        input: 'count',
        shortest: 0,
        longest: 12,
      },
      {
        ...{
          name: 'helping_source',
          label: /* i18n */ 'Source of that number',
          input: 'link',
          shortest: 0,
          longest: 2000,
        },
        option: 'helping-source',
      },
    ],
    shortestReason: 0,
  },
  purpose: {
    title: /* i18n */ 'Name the purpose of a payment',
    done: /* i18n */ 'Named the purpose of a payment',
    people: 1,
    subject: 'required',
    fields: [
      {
        ...{ name: 'type', label: /* i18n */ 'Type', input: 'choice', shortest: 1, longest: 20 },
        options: Object.entries(ownTypes).map(([value, label]) => ({ value, label })),
      },
      {
        ...{
          name: 'pool',
          label: /* i18n */ 'Pool',
          input: 'choice',
          shortest: 0,
          longest: 50,
          options: pools,
        },
        hint: /* i18n */ 'Only for a donation to a wallet that is not ours. Otherwise the wallets decide.',
      },
      {
        ...{ name: 'note', label: /* i18n */ 'Purpose', input: 'text', shortest: 0, longest: 2000 },
        hint: /* i18n */ 'What the money is for, such as "Desks for a school". Everyone can read it.',
      },
      { name: 'proof', label: /* i18n */ 'Link to a proof', input: 'link', shortest: 0, longest: 2000 },
    ],
    shortestReason: 0,
  },
  value: {
    title: /* i18n */ 'Set the value of a payment',
    done: /* i18n */ 'Set the value of a payment',
    people: 2,
    effect: /* i18n */ 'It changes every total that counts this payment. The value can be set again.',
    subject: 'required',
    fields: [
      { name: 'rate', label: /* i18n */ 'Dollars for one token', input: 'rate', shortest: 1, longest: 40 },
      {
        ...{ name: 'rate_source', label: /* i18n */ 'Who says so', input: 'line', shortest: 1, longest: 200 },
        option: 'rate-source',
      },
    ],
    shortestReason: 0,
  },
  reading: {
    title: /* i18n */ 'Read a payment again',
    done: /* i18n */ 'Read a payment from the blockchain again',
    people: 1,
    subject: 'required',
    fields: [],
    shortestReason: 0,
  },
  name: {
    title: /* i18n */ 'Name a wallet',
    correction: /* i18n */ 'Change the name of a wallet',
    done: /* i18n */ 'Named a wallet',
    corrected: /* i18n */ 'Changed the name of a wallet',
    people: 1,
    subject: 'either',
    fields: [
      { name: 'address', label: /* i18n */ 'Wallet address', input: 'address', shortest: 1, longest: 42 },
      {
        ...{ name: 'name', label: /* i18n */ 'Name and role', input: 'line', shortest: 1, longest: 60 },
        hint: /* i18n */ 'Like "Riverside Books, supplier". Name organisations; a private person only with their consent.',
      },
    ],
    shortestReason: 0,
  },
  withdrawal: {
    title: /* i18n */ 'Withdraw a text',
    done: /* i18n */ 'Withdrew a text',
    people: 2,
    effect:
      /* i18n */ "The text disappears from every page, file and feed for ever. Its hash stays in the log. This can't be undone.",
    isHarsh: true,
    subject: 'required',
    fields: [],
    shortestReason: 10,
    reasonHint: /* i18n */ "This reason stays for ever. Don't repeat what you withdraw.",
  },
  operator: {
    title: /* i18n */ 'Add an operator',
    done: /* i18n */ 'Added an operator',
    people: 2,
    effect:
      /* i18n */ 'The new operator can do everything that you can do here. Their handle becomes public, but their email address does not.',
    subject: 'none',
    fields: [
      {
        ...{ name: 'email', label: /* i18n */ 'Email address', input: 'email', shortest: 1, longest: 320 },
        isPrivate: true,
        hint: /* i18n */ 'Of their account. We delete it when this is done, and never publish it.',
      },
      {
        ...{ name: 'handle', label: /* i18n */ 'Handle', input: 'handle', shortest: 3, longest: 30 },
        hint: /* i18n */ 'Public. 3 to 30 of a–z, 0–9 and hyphen, first a letter. It can never be used again.',
      },
    ],
    shortestReason: 0,
  },
  'operator-end': {
    title: /* i18n */ 'End an operator',
    done: /* i18n */ 'Ended an operator',
    people: 1,
    effect:
      /* i18n */ 'From then on the operator can do nothing here, and what they proposed can no longer be confirmed. Their handle stays public and can never be used again.',
    isHarsh: true,
    subject: 'required',
    fields: [],
    shortestReason: 10,
  },
  'goal-approval': {
    title: /* i18n */ 'Approve a goal',
    done: /* i18n */ 'Approved a goal',
    people: 2,
    effect:
      /* i18n */ "Its page and its wallet become public, and people can give. This can't be undone: afterwards a goal can only be frozen or annulled.",
    subject: 'required',
    fields: [],
    shortestReason: 0,
  },
  'goal-return': {
    title: /* i18n */ 'Return a goal to its member',
    done: /* i18n */ 'Returned a goal to its member',
    people: 1,
    effect:
      /* i18n */ 'No page or wallet becomes public. The member can change the goal and submit it again. Everyone can read that you returned a goal, but not why.',
    subject: 'required',
    fields: [],
    shortestReason: 10,
    reasonHint: /* i18n */ 'Only the member and the operators can read this reason.',
  },
  'goal-rejection': {
    title: /* i18n */ 'Reject a goal',
    done: /* i18n */ 'Rejected a goal',
    people: 1,
    effect:
      /* i18n */ "No page or wallet becomes public. This can't be undone: the member can only write a new goal. Everyone can read that you rejected a goal, but not why.",
    isHarsh: true,
    subject: 'required',
    fields: [],
    shortestReason: 10,
    reasonHint: /* i18n */ 'Only the member and the operators can read this reason.',
  },
  'goal-freeze': {
    title: /* i18n */ 'Freeze a goal',
    done: /* i18n */ 'Froze a goal',
    people: 1,
    effect:
      /* i18n */ "Its page stays, without its wallet and without a way to give, and its member can't post. Two operators can release it. Anyone who kept the address can still send money to it.",
    subject: 'required',
    fields: [
      {
        ...{ name: 'hide', label: /* i18n */ 'Text and picture', input: 'choice', shortest: 0, longest: 3 },
        options: [{ value: 'yes', label: /* i18n */ 'Hide them too' }],
      },
    ],
    shortestReason: 10,
  },
  'goal-release': {
    title: /* i18n */ 'Release a frozen goal',
    done: /* i18n */ 'Released a frozen goal',
    people: 2,
    effect:
      /* i18n */ 'Its page shows its text and picture again, and its wallet while the goal is open. Its member can post again. It can be frozen again.',
    subject: 'required',
    fields: [],
    shortestReason: 10,
  },
  'goal-annulment': {
    title: /* i18n */ 'Annul a goal',
    done: /* i18n */ 'Annulled a goal',
    people: 2,
    effect:
      /* i18n */ "The goal ends for ever. Its page stays and says so, but no longer shows the wallet. The open complaints are closed. This can't be undone.",
    isHarsh: true,
    subject: 'required',
    fields: [],
    shortestReason: 10,
  },
  'goal-report': {
    title: /* i18n */ 'Accept the report of a goal',
    done: /* i18n */ 'Accepted the report of a goal',
    people: 1,
    effect:
      /* i18n */ "Its page says that the goal is completed, and its member can submit another goal. This can't be undone.",
    subject: 'required',
    fields: [],
    shortestReason: 0,
  },
  'complaint-dismissal': {
    title: /* i18n */ 'Dismiss the complaints about a goal',
    done: /* i18n */ 'Dismissed the complaints about a goal',
    people: 1,
    effect:
      /* i18n */ "All open complaints about this goal are closed, and its page does not change: a frozen goal stays frozen. This can't be undone, but members can complain again.",
    subject: 'required',
    fields: [],
    shortestReason: 0,
  },
} as const satisfies Record<string, Kind>

export type ActKind = keyof typeof actKinds

/**
 * True if a kind has no form at /operator/new: only the command line reads the chain, and acts about a goal
 * have their forms on the goal's page.
 */
export function hasNoForm(kind: ActKind): boolean {
  return kind === 'reading' || isGoalKind(kind)
}

/** True if an act of this kind is about a goal. */
export function isGoalKind(kind: ActKind): boolean {
  return kind.startsWith('goal-') || kind === 'complaint-dismissal'
}

/**
 * True if the reason of an act of this kind is not public: only operators and the member who owns the goal
 * can read it.
 */
export function hasPrivateReason(kind: ActKind): boolean {
  return kind === 'goal-return' || kind === 'goal-rejection'
}

export function isActKind(text: string): text is ActKind {
  return Object.hasOwn(actKinds, text)
}

/** The description of a kind, with the type that all kinds share. */
export function kindOf(kind: ActKind): Kind {
  return actKinds[kind]
}

/**
 * The words for an act in the public record, as a key, such as 'Corrected a statement'. `revision` is the
 * revision of the entry that the act made.
 */
export function actWords(kind: ActKind, revision: number | null): string {
  const { done, corrected } = kindOf(kind)
  return (revision && corrected) || done
}
