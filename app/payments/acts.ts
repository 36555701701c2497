import { msg } from '@lingui/core/macro'
import { address, choice, count, line, link, poolOptions, rate, text, time } from '../acts/forms/fields'
import type { ActSubject, Kind } from '../acts/forms/kind'
import { accounts } from '../ledger/accounts'
import { ownTypes } from '../ledger/transaction-types'
import type { I18n } from '../platform/locales/i18n'
import { key } from '../platform/locales/key'

const walletOptions = accounts.map(({ slug, name }) => ({ value: slug, label: key(name) }))
/** The types of payments that an order can have. */
const orderTypes = (['donation', 'cost', 'spending', 'dream', 'move'] as const).map((type) => ({
  value: type,
  label: key(ownTypes[type]),
}))

const orderName = (number: string, i18n: I18n) => i18n._(msg`Order ${{ number }}`)
const orderPage = ({ subject, madeKind }: ActSubject) =>
  subject && madeKind ? `/transparency/orders?before=${Number(subject) + 1}` : null

const standingName = (number: string, i18n: I18n) => i18n._(msg`Standing order ${{ number }}`)
const standingPage = ({ subject, madeKind }: ActSubject) =>
  madeKind ? `/transparency/orders#standing-${subject}` : null

/** The acts about orders, standing orders and the payer. */
export const paymentActs = {
  order: {
    title: msg`Order a payment`,
    done: msg`Ordered a payment`,
    people: 2,
    effect: msg`Everyone sees the order from then on, with its time. Each operator can stop it until it is paid.`,
    subject: 'none',
    fields: [
      choice('from', msg`Paying wallet`, { options: walletOptions }),
      address('to', msg`Recipient`),
      line('token', msg`Token`, { longest: 32 }),
      rate('amount', msg`Amount`, { hint: msg`In tokens, not in dollars, like 500 or 12.5.` }),
      choice('type', msg`Type`, { options: orderTypes }),
      choice('pool', msg`Pool`, {
        optional: true,
        hint: msg`Only for a donation to a wallet that is not ours. Otherwise the wallets decide.`,
        options: poolOptions,
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
    nameOf: orderName,
    pageOf: orderPage,
  },
  stop: {
    title: msg`Stop a payment`,
    done: msg`Stopped a payment`,
    people: 1,
    subject: 'required',
    fields: [],
    shortestReason: 0,
    hasOwnForm: true,
    nameOf: orderName,
    pageOf: orderPage,
  },
  'stop-reason': {
    title: msg`Say why a payment was stopped`,
    done: msg`Said why a payment was stopped`,
    people: 1,
    subject: 'required',
    fields: [],
    shortestReason: 10,
    nameOf: orderName,
    pageOf: ({ subject }) => subject && orderPage({ subject, madeKind: 'order', madeId: null }),
  },
  take: {
    title: msg`Pay an order by hand`,
    done: msg`Took a payment to pay it by hand`,
    people: 1,
    effect: msg`The site never pays this order. You pay it by hand, and everyone sees that you took it. For the site to pay it, stop it and order it again.`,
    subject: 'required',
    fields: [],
    shortestReason: 0,
    nameOf: orderName,
    pageOf: orderPage,
  },
  'order-end': {
    title: msg`End a payment that was sent`,
    done: msg`Ended a payment that was sent`,
    people: 2,
    effect: msg`The site takes this payment for lost and suspends all payments. If the ledger finds it later, the order becomes paid. Write as the reason what you found on the blockchain.`,
    isHarsh: true,
    subject: 'required',
    fields: [],
    shortestReason: 10,
    nameOf: orderName,
    pageOf: orderPage,
  },
  'payments-hold': {
    title: msg`Suspend all payments`,
    done: msg`Suspended all payments`,
    people: 1,
    effect: msg`The site sends no payment until two operators resume them. A payment that was sent already can't be called back.`,
    subject: 'none',
    fields: [],
    shortestReason: 10,
    pageOf: () => '/transparency/orders',
  },
  'payments-release': {
    title: msg`Resume payments`,
    done: msg`Resumed payments`,
    people: 2,
    effect: msg`The site pays due orders again. Do not sign a Safe file from before: its orders would be paid twice.`,
    subject: 'none',
    fields: [],
    shortestReason: 10,
    pageOf: () => '/transparency/orders',
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
      rate('order_limit', msg`Most for one payment`, {
        hint: msg`In tokens, not in dollars, like 500 or 12.5.`,
      }),
      rate('month_limit', msg`Most in 30 days`, {
        hint: msg`In tokens, not in dollars, like 500 or 12.5. Tax: the most for the tax of a month.`,
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
      rate('amount', msg`Posts: amount`, {
        optional: true,
        hint: msg`In tokens, not in dollars, like 500 or 12.5.`,
      }),
      choice('pool', msg`Posts: pool`, {
        optional: true,
        hint: msg`Only for a donation to a wallet that is not ours. Otherwise the wallets decide.`,
        options: poolOptions,
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
    nameOf: standingName,
    pageOf: standingPage,
    check: ({ words }) => {
      const lines = words ? words.split('\n') : []
      const isBare = lines.some((line) => !/[\p{L}\p{N}]/u.test(line))
      return isBare ? ['words', msg`Each line needs a letter or a digit.`] : null
    },
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
    nameOf: standingName,
    pageOf: standingPage,
  },
  'payer-acceptance': {
    title: msg`Let payments go on after a restored backup`,
    done: msg`Let payments go on after a restored backup`,
    people: 2,
    effect: msg`The site pays again, although its ledger lacks transactions of its payer. Each payment that the payer sent has its order.`,
    subject: 'none',
    fields: [],
    shortestReason: 10,
    pageOf: () => '/transparency/orders',
  },
} satisfies Record<string, Kind>
