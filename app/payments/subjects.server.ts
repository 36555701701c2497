import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { filled, listed, type Source, type Subject } from '../acts/forms/subject'
import { tokenColumns, withTokens } from '../ledger/token-columns.server'
import type { Language } from '../platform/locales/language'
import { integerColumn, timestampColumn } from '../platform/server/columns.server'
import { paymentActs } from './acts'

const orderRow = z.pipe(
  z.object({
    ...tokenColumns,
    id: integerColumn,
    toAddress: z.string(),
    recipientName: z.nullable(z.string()),
    recipientAccount: z.nullable(z.string()),
    purpose: z.nullable(z.string()),
    dueAt: timestampColumn,
    state: z.string(),
  }),
  z.transform((columns) => ({ i18n, formats, href }: Language): Subject => {
    const {
      id: number,
      tokens,
      toAddress,
      recipientName,
      recipientAccount,
      purpose,
      dueAt,
    } = withTokens(columns)
    const amount = tokens ? formats.tokens(tokens, 18) : ''
    return {
      subject: `${number}`,
      title: i18n._(msg`Order ${{ number: `${number}` }}`),
      href: href('/transparency/orders'),
      facts: [
        [i18n._(msg({ message: 'To', context: 'wallet' })), recipientName ?? recipientAccount ?? toAddress],
        [i18n._(msg`Wallet`), toAddress],
        [i18n._(msg`Amount`), amount],
        [i18n._(msg`Purpose`), purpose],
        [i18n._(msg`End of its notice`), formats.instant(dueAt)],
      ],
      values: {},
      // An act about an order belongs to no revision (private.order_revision).
      version: 0,
    }
  }),
)

export const orders: Source = {
  read: async (data, subject) =>
    /^[1-9]\d{0,14}$/.test(subject)
      ? data.rows('published_orders', orderRow, (query) => query.eq('id', Number(subject)))
      : [],
  find: (data, words) =>
    data.rows('published_orders', orderRow, (query) => {
      const open = query.in('state', ['announced', 'taken', 'sent']).order('due_at').limit(listed)
      return /^[1-9]\d{0,14}$/.test(words) ? open.eq('id', Number(words)) : open
    }),
  search: msg`Number of the order`,
}

/** The stopped orders without a reason. */
export const stoppedOrders: Source = {
  ...orders,
  find: (data, words) =>
    data.rows('published_orders', orderRow, (query) => {
      const stopped = query.eq('state', 'stopped').is('stop_reason_hash', null)
      const found = /^[1-9]\d{0,14}$/.test(words) ? stopped.eq('id', Number(words)) : stopped
      return found.order('id', { ascending: false }).limit(listed)
    }),
}

const standingRow = z.pipe(
  z.object({
    id: integerColumn,
    revision: integerColumn,
    rule: z.string(),
    purpose: z.nullable(z.string()),
    source: z.nullable(z.string()),
    endsAt: timestampColumn,
  }),
  z.transform(
    ({ id: number, revision, rule, purpose, source, endsAt }) =>
      ({ i18n, formats, href }: Language): Subject => {
        const { options = [] } =
          paymentActs['standing-order'].fields.find(({ name }) => name === 'rule') ?? {}
        const label = options.find(({ value }) => value === rule)?.label
        return {
          subject: `${number}`,
          title: i18n._(msg`Standing order ${{ number: `${number}` }}`),
          href: href('/transparency/orders#standing'),
          facts: [
            [i18n._(msg`What it does`), label ? i18n._(label) : rule],
            ...filled(i18n._(msg`Source`), source),
            [i18n._(msg`Purpose`), purpose],
            [i18n._(msg`Ends`), formats.instant(endsAt)],
          ],
          values: {},
          version: revision,
        }
      },
  ),
)

export const standingOrders: Source = {
  read: async (data, subject) =>
    /^[1-9]\d{0,14}$/.test(subject)
      ? data.rows('published_standing_orders', standingRow, (query) => query.eq('id', Number(subject)))
      : [],
  find: (data, words) =>
    data.rows('published_standing_orders', standingRow, (query) => {
      const active = query.eq('state', 'active').order('id', { ascending: false }).limit(listed)
      return /^[1-9]\d{0,14}$/.test(words) ? active.eq('id', Number(words)) : active
    }),
  search: msg`Number of the standing order`,
}
