/**
 * The acts of operators: the only list of their kinds in TypeScript. Forms and the public record read this
 * list; schemas.ts checks the values. The database has the same in private.act_kinds, and
 * tests/policies/acts.test.ts compares the two lists.
 */
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { accounts } from '../ledger/accounts'
import { ownTypes } from '../ledger/transaction-types'
import { impactPools } from '../platform/impact-pools'
import { key } from '../platform/locales/key'

/** The longest value of each input, in characters. `links` has several links, one on each line. */
const longestOf = {
  line: 100,
  /** Several lines. */
  text: 5_000,
  time: 40,
  link: 2_000,
  links: 5_000,
  choice: 50,
  address: 42,
  hash: 66,
  count: 12,
  rate: 40,
  /** Six percentages, one for each share of the fees. */
  shares: 30,
  email: 320,
  handle: 30,
}

export interface Field {
  name: string
  label: MessageDescriptor
  input: keyof typeof longestOf
  /** The minimum and maximum length in characters. A field that may be empty has the minimum 0. */
  shortest: number
  longest: number
  hint?: MessageDescriptor
  options?: readonly { value: string; label: MessageDescriptor }[]
  /** True if the value never becomes public. */
  isPrivate?: true
}

/** Returns the builder of the fields with this input. A field is required unless it is optional. */
function builderOf(input: Field['input']) {
  return (
    name: string,
    label: MessageDescriptor,
    { optional, ...rest }: Partial<Omit<Field, 'name' | 'label' | 'input'>> & { optional?: true } = {},
  ): Field => ({ name, label, input, shortest: optional ? 0 : 1, longest: longestOf[input], ...rest })
}

const line = builderOf('line')
const text = builderOf('text')
const time = builderOf('time')
const link = builderOf('link')
const links = builderOf('links')
const choice = builderOf('choice')
const address = builderOf('address')
const hash = builderOf('hash')
const count = builderOf('count')
const rate = builderOf('rate')
const shares = builderOf('shares')
const email = builderOf('email')
const handle = builderOf('handle')

interface Kind {
  /** The title of the form. */
  title: MessageDescriptor
  /** The title of the form that corrects a published subject. */
  correction?: MessageDescriptor
  /** The words in the public record for the act, and for a correction. */
  done: MessageDescriptor
  corrected?: MessageDescriptor
  /** The number of operators that the act needs. */
  people: 1 | 2
  /**
   * What the act does to the page and the wallet of its subject, what becomes public, and whether the act can
   * be undone. The page shows this text above the button. The number of operators and the emails have
   * sentences of their own (act-effect.tsx).
   */
  effect?: MessageDescriptor
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
  reasonHint?: MessageDescriptor
  /** Whether the act has no reason: the entry has the hash of another text in its place. */
  hasNoReason?: true
}

export const longestReason = 500

const timeHint = msg`In UTC.`
const wallets = accounts.map(({ slug, name }) => ({ value: slug, label: key(name) }))
/** The types of payments that an order can have. */
const orderTypes = (['donation', 'cost', 'spending', 'dream', 'move'] as const).map((type) => ({
  value: type,
  label: key(ownTypes[type]),
}))
const types = Object.entries(ownTypes).map(([value, label]) => ({ value, label: key(label) }))
const pools = impactPools.map(({ slug, title }) => ({ value: slug, label: key(title) }))

export const actKinds = {
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
      time('captured', msg`Read at its address`, {
        optional: true,
        hint: msg`In UTC. Left empty: now.`,
      }),
      hash('tx', msg`Payment that followed`, {
        optional: true,
        hint: msg`The hash of its transaction: 0x and 64 characters.`,
      }),
    ],
    shortestReason: 0,
  },
  confirmation: {
    title: msg`Confirm a statement`,
    done: msg`Confirmed a statement`,
    people: 1,
    subject: 'required',
    fields: [text('how', msg`How you confirmed it`, { shortest: 10, longest: 500 })],
    shortestReason: 0,
  },
  update: {
    title: msg`Publish an update of a pool`,
    correction: msg`Correct an update of a pool`,
    done: msg`Published an update`,
    corrected: msg`Corrected an update`,
    people: 1,
    subject: 'either',
    fields: [
      choice('pool', msg`Pool`, { options: pools }),
      text('text', msg`Text`),
      links('links', msg`Links`, { optional: true, hint: msg`One on each line.` }),
      time('dated', msg`Dated`, { hint: timeHint }),
      count('helping', msg`Number of people or animals helped`, { optional: true }),
      link('helping_source', msg`Source of that number`, { optional: true }),
    ],
    shortestReason: 0,
  },
  purpose: {
    title: msg`Name the purpose of a payment`,
    done: msg`Named the purpose of a payment`,
    people: 1,
    subject: 'required',
    fields: [
      choice('type', msg`Type`, { options: types }),
      choice('pool', msg`Pool`, {
        optional: true,
        hint: msg`Only for a donation to a wallet that is not ours. Otherwise the wallets decide.`,
        options: pools,
      }),
      text('note', msg`Purpose`, {
        optional: true,
        longest: 2000,
        hint: msg`What the money is for, such as "Desks for a school". Everyone can read it.`,
      }),
      link('proof', msg`Link to a proof`, { optional: true }),
    ],
    shortestReason: 0,
  },
  value: {
    title: msg`Set the value of a payment`,
    done: msg`Set the value of a payment`,
    people: 2,
    effect: msg`It changes every total that counts this payment. The value can be set again.`,
    subject: 'required',
    fields: [
      rate('rate', msg`Dollars for one token`),
      line('rate_source', msg`Who says so`, { longest: 200 }),
    ],
    shortestReason: 0,
  },
  reading: {
    title: msg`Read a payment again`,
    done: msg`Read a payment from the blockchain again`,
    people: 1,
    subject: 'required',
    fields: [],
    shortestReason: 0,
  },
  name: {
    title: msg`Name a wallet`,
    correction: msg`Change the name of a wallet`,
    done: msg`Named a wallet`,
    corrected: msg`Changed the name of a wallet`,
    people: 2,
    effect: msg`The name is beside the address on every page, and orders can pay this wallet.`,
    subject: 'either',
    fields: [
      address('address', msg`Wallet address`),
      line('name', msg`Name and role`, {
        longest: 60,
        hint: msg`Like "Riverside Books, supplier". Name organisations; a private person only with their consent.`,
      }),
    ],
    shortestReason: 0,
  },
  withdrawal: {
    title: msg`Withdraw a text`,
    done: msg`Withdrew a text`,
    people: 2,
    effect: msg`The text disappears from every page, file and feed for ever. Its hash stays in the log. This can't be undone.`,
    isHarsh: true,
    subject: 'required',
    fields: [],
    shortestReason: 10,
    reasonHint: msg`This reason stays for ever. Don't repeat what you withdraw.`,
  },
  operator: {
    title: msg`Add an operator`,
    done: msg`Added an operator`,
    people: 2,
    effect: msg`The new operator can do everything that you can do here. Their handle becomes public, but their email address does not.`,
    subject: 'none',
    fields: [
      email('email', msg`Email address`, {
        isPrivate: true,
        hint: msg`Of their account. We delete it when this is done, and never publish it.`,
      }),
      handle('handle', msg`Handle`, {
        shortest: 3,
        hint: msg`Public. 3 to 30 of a–z, 0–9 and hyphen, first a letter. It can never be used again.`,
      }),
    ],
    shortestReason: 0,
  },
  'operator-end': {
    title: msg`End an operator`,
    done: msg`Ended an operator`,
    people: 1,
    effect: msg`From then on the operator can do nothing here, and what they proposed can no longer be confirmed. Their handle stays public and can never be used again.`,
    isHarsh: true,
    subject: 'required',
    fields: [],
    shortestReason: 10,
  },
  introduction: {
    title: msg`Introduce yourself`,
    done: msg({ message: 'Introduced themselves', comment: 'An operator said who they are' }),
    people: 1,
    effect: msg`Everyone can read it on About, beside your handle, until you introduce yourself again or two operators withdraw it.`,
    subject: 'none',
    fields: [
      line('name', msg`Your name`, {
        shortest: 2,
        longest: 60,
        hint: msg`The name by which people know you. Only your own.`,
      }),
      line('role', msg`What you do here`, {
        shortest: 2,
        longest: 100,
        hint: msg`Like "Reads CZ's statements and publishes updates".`,
      }),
      choice('keys', msg`Keys of our wallets`, {
        options: [
          { value: 'holds', label: msg`I hold a key` },
          { value: 'none', label: msg`I hold no key` },
        ],
      }),
      link('link', msg`A page of yours`, {
        optional: true,
        hint: msg`Where readers can see that it's you: best a page that names your handle here.`,
      }),
    ],
    shortestReason: 0,
    hasNoReason: true,
  },
  order: {
    title: msg`Order a payment`,
    done: msg`Ordered a payment`,
    people: 2,
    effect: msg`Everyone sees the order from then on, with its time. Each operator can stop it until it is paid.`,
    subject: 'none',
    fields: [
      choice('from', msg`Paying wallet`, { options: wallets }),
      address('to', msg`Recipient`, {
        hint: msg`The address of a wallet that we named, of a pool or of a goal. If the name is new, the notice begins later.`,
      }),
      line('token', msg`Token`, { longest: 32 }),
      rate('amount', msg`Amount`, { hint: msg`In whole tokens, like 500 or 12.5.` }),
      choice('type', msg`Type`, { options: orderTypes }),
      choice('pool', msg`Pool`, {
        optional: true,
        hint: msg`Only for a donation to a wallet that is not ours. Otherwise the wallets decide.`,
        options: pools,
      }),
      text('purpose', msg`Purpose`, {
        longest: 2000,
        hint: msg`What the money is for, such as "Desks for a school". Everyone can read it.`,
      }),
      link('statement', msg`Statement that it answers`, {
        optional: true,
        hint: msg`The address of a post on CZ Call.`,
      }),
    ],
    shortestReason: 0,
  },
  stop: {
    title: msg`Stop a payment`,
    done: msg`Stopped a payment`,
    people: 1,
    effect: msg`The order ends and is never paid. A new order is a new decision of two operators.`,
    isHarsh: true,
    subject: 'required',
    fields: [],
    shortestReason: 10,
  },
  'payments-hold': {
    title: msg`Suspend all payments`,
    done: msg`Suspended all payments`,
    people: 1,
    effect: msg`The site sends no payment until two operators resume them. A payment that was sent already can't be called back.`,
    subject: 'none',
    fields: [],
    shortestReason: 10,
  },
  'payments-release': {
    title: msg`Resume payments`,
    done: msg`Resumed payments`,
    people: 2,
    effect: msg`The site pays due orders again. Do not sign a Safe file from before: its orders would be paid twice.`,
    subject: 'none',
    fields: [],
    shortestReason: 10,
  },
  'standing-order': {
    title: msg`Make a standing order`,
    done: msg`Made a standing order`,
    people: 2,
    effect: msg`The site orders payments by itself from then on, within these limits. Everyone sees each payment before it is paid. One operator can suspend it.`,
    subject: 'none',
    fields: [
      choice('rule', msg`What it does`, {
        options: [
          { value: 'call', label: msg`Answers posts: CZ Call` },
          { value: 'allocation', label: msg`Divides the trading tax of a month` },
          { value: 'vote', label: msg`Pays goals that win their vote` },
        ],
      }),
      line('token', msg`Token`, { longest: 32 }),
      rate('order_limit', msg`Most for one payment`, { hint: msg`In whole tokens, like 500 or 12.5.` }),
      rate('month_limit', msg`Most in 30 days`, {
        hint: msg`In whole tokens, like 500 or 12.5. Tax: the most for the tax of a month.`,
      }),
      time('ends', msg`Ends`, { hint: msg`In UTC, at most a year away.` }),
      text('purpose', msg`Purpose`, {
        longest: 2000,
        hint: msg`What the money is for, such as "Desks for a school". Everyone can read it.`,
      }),
      line('source', msg`Posts: source`, {
        optional: true,
        longest: 500,
        hint: msg`The address of a source, as STATEMENT_SOURCES has it.`,
      }),
      text('words', msg`Posts: words`, {
        optional: true,
        longest: 1000,
        hint: msg`One expression on each line. A post that has one of them, as whole words, is answered.`,
      }),
      address('to', msg`Posts: recipient`, {
        optional: true,
        hint: msg`The address of a pool, or of a wallet that two operators named.`,
      }),
      rate('amount', msg`Posts: amount`, { optional: true, hint: msg`In whole tokens, like 500 or 12.5.` }),
      choice('pool', msg`Posts: pool`, {
        optional: true,
        hint: msg`Only for a donation to a wallet that is not ours. Otherwise the wallets decide.`,
        options: pools,
      }),
      count('every', msg`Posts: at most once in so many days`, { optional: true }),
      rate('percent', msg`Tax: percent that is divided`, { optional: true }),
      count('day', msg`Tax: day of the month`, { optional: true, hint: msg`From 2 to 28.` }),
      text('split', msg`Tax: parts`, {
        optional: true,
        longest: 1000,
        hint: msg`In percent, one on each line, together 100: "education 30". Also donation-wallet (CZ Call), goals and reserve; the last two stay in the treasury.`,
      }),
    ],
    shortestReason: 0,
  },
  suspend: {
    title: msg`Suspend a standing order`,
    done: msg`Suspended a standing order`,
    people: 1,
    effect: msg`It orders no more payments, and its payments that were not sent yet are stopped. It can't be resumed: a new one is a decision of two operators.`,
    isHarsh: true,
    subject: 'required',
    fields: [],
    shortestReason: 10,
  },
  'payer-acceptance': {
    title: msg`Let payments go on after a restored backup`,
    done: msg`Let payments go on after a restored backup`,
    people: 2,
    effect: msg`The site pays again, although its ledger lacks transactions of its payer. Each payment that the payer sent has its order.`,
    subject: 'none',
    fields: [],
    shortestReason: 10,
  },
  'split-vote': {
    title: msg`Open a vote on the split of the fees`,
    done: msg`Opened a vote on the split of the fees`,
    people: 2,
    effect: msg`Token holders vote on the shares of the monthly allocation. A valid result applies to monthly allocations from the next month on. There is at most one such vote in 30 days.`,
    subject: 'none',
    fields: [
      count('days', msg`Days until the end`, { longest: 2, hint: msg`From 7 to 14.` }),
      shares('least', msg`Least percentages`, {
        hint: msg`Six whole numbers with spaces: Education, Relief, Animals, CZ Call, FundMe, reserve. A ballot can't name less.`,
      }),
      shares('most', msg`Most percentages`, {
        hint: msg`In the same order. A ballot can't name more.`,
      }),
    ],
    shortestReason: 0,
  },
  'goal-approval': {
    title: msg`Approve a goal`,
    done: msg`Approved a goal`,
    people: 2,
    effect: msg`Its page and its wallet become public, and people can give. This can't be undone: afterwards a goal can only be frozen or annulled.`,
    subject: 'required',
    fields: [],
    shortestReason: 0,
  },
  'goal-return': {
    title: msg`Return a goal to its member`,
    done: msg`Returned a goal to its member`,
    people: 1,
    effect: msg`No page or wallet becomes public. The member can change the goal and submit it again. Everyone can read that you returned a goal, but not why.`,
    subject: 'required',
    fields: [],
    shortestReason: 10,
    reasonHint: msg`Only the member and the operators can read this reason.`,
  },
  'goal-rejection': {
    title: msg`Reject a goal`,
    done: msg`Rejected a goal`,
    people: 1,
    effect: msg`No page or wallet becomes public. This can't be undone: the member can only write a new goal. Everyone can read that you rejected a goal, but not why.`,
    isHarsh: true,
    subject: 'required',
    fields: [],
    shortestReason: 10,
    reasonHint: msg`Only the member and the operators can read this reason.`,
  },
  'goal-freeze': {
    title: msg`Freeze a goal`,
    done: msg`Froze a goal`,
    people: 1,
    effect: msg`Its page stays, without its wallet and without a way to give, and its member can't post. Two operators can release it. Anyone who kept the address can still send money to it.`,
    subject: 'required',
    fields: [
      choice('hide', msg`Text and picture`, {
        optional: true,
        options: [{ value: 'yes', label: msg`Hide them too` }],
      }),
    ],
    shortestReason: 10,
  },
  'goal-release': {
    title: msg`Release a frozen goal`,
    done: msg`Released a frozen goal`,
    people: 2,
    effect: msg`Its page shows its text and picture again, and its wallet while the goal is open. Its member can post again. It can be frozen again.`,
    subject: 'required',
    fields: [],
    shortestReason: 10,
  },
  'goal-annulment': {
    title: msg`Annul a goal`,
    done: msg`Annulled a goal`,
    people: 2,
    effect: msg`The goal ends for ever. Its page stays and says so, but no longer shows the wallet. The open complaints are closed. This can't be undone.`,
    isHarsh: true,
    subject: 'required',
    fields: [],
    shortestReason: 10,
  },
  'goal-report': {
    title: msg`Accept the report of a goal`,
    done: msg`Accepted the report of a goal`,
    people: 1,
    effect: msg`Its page says that the goal is completed, and its member can submit another goal. This can't be undone.`,
    subject: 'required',
    fields: [],
    shortestReason: 0,
  },
  'complaint-dismissal': {
    title: msg`Dismiss the complaints about a goal`,
    done: msg`Dismissed the complaints about a goal`,
    people: 1,
    effect: msg`All open complaints about this goal are closed, and its page does not change: a frozen goal stays frozen. This can't be undone, but members can complain again.`,
    subject: 'required',
    fields: [],
    shortestReason: 0,
  },
} satisfies Record<string, Kind>

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
 * The words for an act in the public record, such as 'Corrected a statement'. `revision` is the
 * revision of the entry that the act made.
 */
export function actWords(kind: ActKind, revision: number | null): MessageDescriptor {
  const { done, corrected } = kindOf(kind)
  return (revision && corrected) || done
}

/** The name of the actor of an act without an operator. */
export const commandLine = msg`the holder of the secret key`
