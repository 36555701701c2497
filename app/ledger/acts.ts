import { msg } from '@lingui/core/macro'
import {
  address,
  choice,
  count,
  line,
  link,
  links,
  poolOptions,
  rate,
  text,
  time,
  timeHint,
} from '../acts/forms/fields'
import type { ActSubject, Kind } from '../acts/forms/kind'
import { findPool } from '../platform/impact-pools'
import type { I18n } from '../platform/locales/i18n'
import { key } from '../platform/locales/key'
import { findAccount } from './accounts'
import { shortHash } from './short-hash'
import { ownTypes } from './transaction-types'

const typeOptions = Object.entries(ownTypes).map(([value, label]) => ({ value, label: key(label) }))

const rowPage = ({ madeId }: ActSubject) => (madeId === null ? null : `/transparency/${madeId}`)

/** The name of a payment by its subject, `chain/hash/ordinal`. */
function paymentName(subject: string, i18n: I18n): string {
  const transaction = shortHash(subject.split('/')[1] ?? subject)
  return i18n._(msg`A payment in transaction ${transaction}`)
}

/** The acts about rows of the ledger, names of wallets, and updates of pools. */
export const ledgerActs = {
  update: {
    title: msg`Publish an update of a pool`,
    correction: msg`Correct an update of a pool`,
    done: msg`Published an update`,
    corrected: msg`Corrected an update`,
    people: 1,
    twoWith: 'consent',
    subject: 'either',
    fields: [
      choice('pool', msg`Pool`, { options: poolOptions }),
      text('text', msg`Text`),
      links('links', msg`Links`, { optional: true, hint: msg`One on each line.` }),
      time('dated', msg`Dated`, { hint: timeHint }),
      count('helping', msg`Number of people or animals helped`, { optional: true }),
      link('helping_source', msg`Source of that number`, { optional: true }),
      choice('person', msg`Can someone be recognised on it?`, {
        optional: true,
        isPrivate: true,
        options: [
          { value: 'no', label: msg`No one` },
          { value: 'yes', label: msg`An adult who agreed. Never a child` },
        ],
      }),
      text('consent', msg`Who agreed, how and when`, {
        optional: true,
        isPrivate: true,
        longest: 500,
        hint: msg`Needed for a person. Only operators can read it, until the photograph is withdrawn. A second operator must then confirm the update.`,
      }),
    ],
    mail: msg`Those who follow the pool get a new update by email, usually within minutes.`,
    shortestReason: 0,
    check: ({ helping, helping_source: source }) =>
      !helping === !source
        ? null
        : [helping ? 'helping_source' : 'helping', msg`State the number and its source together.`],
    nameOf: (subject, i18n) => {
      const [slug = '', number = ''] = subject.split('/')
      const pool = i18n._(key(findPool(slug)?.title ?? slug))
      return i18n._(msg`${{ pool }}, update ${number}`)
    },
    pageOf: ({ subject }) => (subject ? `/voting/${subject.split('/')[0]}` : null),
  },
  purpose: {
    title: msg`Name the purpose of a payment`,
    done: msg`Named the purpose of a payment`,
    people: 1,
    subject: 'required',
    fields: [
      choice('type', msg`Type`, { options: typeOptions }),
      choice('pool', msg`Pool`, {
        optional: true,
        hint: msg`Only for a donation to a wallet that is not ours. Otherwise the wallets decide.`,
        options: poolOptions,
      }),
      text('note', msg`Purpose`, {
        optional: true,
        longest: 2000,
        hint: msg`What the money is for, such as "Desks for a school". Everyone can read it.`,
      }),
      link('proof', msg`Link to a proof`, { optional: true }),
    ],
    shortestReason: 0,
    nameOf: paymentName,
    pageOf: rowPage,
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
    nameOf: paymentName,
    pageOf: rowPage,
  },
  reading: {
    title: msg`Read a payment again`,
    done: msg`Read a payment from the blockchain again`,
    people: 1,
    subject: 'required',
    fields: [],
    shortestReason: 0,
    nameOf: paymentName,
    pageOf: rowPage,
    isCommand: true,
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
    check: ({ name = '' }) =>
      findAccount(name) ? ['name', msg`The name reads like one of our own wallets. Use another one.`] : null,
    nameOf: shortHash,
    pageOf: ({ subject }) => (subject ? `/transparency?q=${subject}` : null),
  },
} satisfies Record<string, Kind>
