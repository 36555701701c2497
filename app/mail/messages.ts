import { findTopic, topicName } from '../follow/topics.ts'
import { sharedWords } from '../ledger/calls.ts'
import { formatTokens } from '../ledger/transactions.ts'
import { readPictureLink } from '../ledger/update-picture.ts'
import { listWords } from '../list.ts'
import { formatDollars } from '../money.ts'
import { plural } from '../plural.ts'
import { formatDay, formatMonth } from '../time.ts'
import type { Fact, MailRow } from './facts.ts'
import { type Block, leaveBlocks, toHtml, toText } from './layout.ts'
import type { Mail } from './send.server.ts'

/** The longest subject, in characters: most clients show fewer. */
const maxSubject = 90

type Content<K extends Fact['kind']> = Extract<Fact, { kind: K }>['content']
interface Message {
  subject: string
  blocks: Block[]
}

/** The mail for a claimed row. `fact` is null for a request and for the question whether to keep following. */
export function writeMail(row: MailRow, fact: Fact | null, site: string): Mail {
  const links = linksOf(site, row)
  const message = row.is_request
    ? confirmation(row, links)
    : fact
      ? factMessage(fact, site)
      : keepQuestion(row, links)
  const topic = fact && row.topic ? topicName(row.topic) : null
  const blocks = row.is_request
    ? message.blocks
    : [...message.blocks, ...leaveBlocks(topic, links.leaveTopic, links.leaveAll)]
  const subject = oneLine(message.subject, maxSubject)
  return {
    to: row.address,
    subject,
    html: toHtml(subject, blocks),
    text: toText(blocks),
    headers: row.is_request
      ? {}
      : {
          'List-Unsubscribe': `<${topic ? links.leaveTopic : links.leaveAll}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
  }
}

interface Links {
  confirm: string
  keep: string
  leaveTopic: string
  leaveAll: string
}

function linksOf(site: string, { token, topic }: MailRow): Links {
  const about = topic ? `&topic=${topic}` : ''
  return {
    confirm: `${site}/follow/confirm?token=${token}${about}`,
    keep: `${site}/follow/keep?token=${token}`,
    leaveTopic: `${site}/follow/leave?token=${token}${about}`,
    leaveAll: `${site}/follow/leave?token=${token}`,
  }
}

function confirmation({ topic }: MailRow, { confirm }: Links): Message {
  const name = topicName(topic ?? '')
  const subject = `Confirm that you want emails about ${name}`
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      {
        kind: 'text',
        text: `Someone asked for emails about ${name} to this address. Confirm if it was you.`,
      },
      { kind: 'button', label: 'Confirm', href: confirm },
      {
        kind: 'small',
        text: 'The link is valid for three days. If it was not you, do nothing: you get no other email, and we delete your address.',
      },
    ],
  }
}

function keepQuestion({ topics }: MailRow, { keep }: Links): Message {
  const subject = `Keep following ${listWords(topics.map(topicName), 'and')}?`
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      {
        kind: 'text',
        text: 'We ask before we send you more emails. If you do nothing, they stop, and we delete your address within a month.',
      },
      { kind: 'button', label: 'Keep following', href: keep },
    ],
  }
}

function factMessage(fact: Fact, site: string): Message {
  switch (fact.kind) {
    case 'update':
      return updateMessage(fact.topic, fact.content, site)
    case 'spending':
      return spendingMessage(fact.topic, fact.content, site)
    case 'call':
      return callMessage(fact.content, site)
    case 'month':
      return monthMessage(fact.content, site)
  }
}

function updateMessage(topic: string, { text, links }: Content<'update'>, site: string): Message {
  const all = links?.split('\n') ?? []
  const others = all.filter((link) => !readPictureLink(link))
  const pictures = all.flatMap((link) => readPictureLink(link) ?? [])
  return {
    subject: `${topicName(topic)}: ${oneLine(text, maxSubject)}`,
    blocks: [
      { kind: 'text', text },
      ...pictures.map(({ path, ...picture }): Block => ({ kind: 'picture', src: site + path, ...picture })),
      ...(others.length > 0
        ? [{ kind: 'list' as const, items: others.map((link) => ({ text: link, href: link })) }]
        : []),
      {
        kind: 'button',
        label: `See ${topicName(topic)}`,
        href: `${site}${findTopic(topic)?.path ?? '/voting'}#updates`,
      },
    ],
  }
}

type Amount = Pick<Content<'call'>, 'usd' | 'token_amount' | 'token_symbol' | 'token_decimals'>

/** '$1,120.40', or '2 BNB' for an amount without a value in dollars. */
function amountWords({ usd, token_amount, token_symbol, token_decimals }: Amount): string {
  if (usd !== null) return formatDollars(usd)
  if (token_amount === null || token_symbol === null || token_decimals === null)
    return 'an amount without a dollar value'
  return formatTokens({ amount: BigInt(token_amount), symbol: token_symbol, decimals: token_decimals })
}

function spendingMessage(topic: string, { payments }: Content<'spending'>, site: string): Message {
  const valued = payments.filter(({ usd }) => usd !== null)
  const total = valued.reduce((sum, { usd }) => sum + (usd ?? 0), 0)
  const others = payments.length - valued.length
  const [only] = payments
  const spent =
    valued.length > 0
      ? formatDollars(total) +
        (others > 0
          ? plural(others, {
              one: ' and # payment without a dollar value',
              other: ' and # payments without a dollar value',
            })
          : '')
      : only && payments.length === 1
        ? amountWords(only)
        : plural(others, { one: '# payment', other: '# payments' })
  const bought = [...new Set(payments.flatMap(({ note, recipient }) => note ?? recipient ?? []))].join(', ')
  const headline = `${topicName(topic)} spent ${spent}${bought && `: ${bought}`}`
  return {
    subject: headline,
    blocks: [
      { kind: 'heading', text: headline },
      {
        kind: 'list',
        items: payments.map((payment) => ({
          text: [
            amountWords(payment),
            payment.recipient && ` to ${payment.recipient}`,
            ` on ${formatDay(payment.occurred_at)}`,
            payment.note && `: ${payment.note}`,
          ]
            .filter(Boolean)
            .join(''),
          href: `${site}/transparency/${payment.id}`,
        })),
      },
      { kind: 'text', text: 'Each payment is verified on the blockchain.' },
      {
        kind: 'button',
        label: `See ${topicName(topic)}`,
        href: `${site}${findTopic(topic)?.path ?? '/voting'}#spending`,
      },
    ],
  }
}

function callMessage(content: Content<'call'>, site: string): Message {
  const { author, posted_at, text, action, transaction_id, shared_count } = content
  const shared = sharedWords({ sharedCount: shared_count })
  const headline = `${amountWords(content)} paid after a statement of ${author}`
  return {
    subject: action ? `${amountWords(content)} paid: ${action}` : headline,
    blocks: [
      { kind: 'heading', text: headline },
      ...[action, shared].flatMap((words): Block[] => (words ? [{ kind: 'text', text: words }] : [])),
      { kind: 'text', text: `${author} wrote on ${formatDay(posted_at)}:` },
      { kind: 'quote', text },
      { kind: 'button', label: 'See the payment', href: `${site}/transparency/${transaction_id}` },
    ],
  }
}

function monthMessage(content: Content<'month'>, site: string): Message {
  const { received_usd, paid_usd, left_usd, disputed_count, pending_count, unvalued_count } = content
  const { compared_wallets, different_wallets, unknown_wallets } = content
  const month = formatMonth(new Date(`${content.month}-01T00:00:00Z`))
  const [received, paid, left] = [received_usd, paid_usd, left_usd].map(formatDollars)
  const unmatched = [
    disputed_count > 0 &&
      plural(disputed_count, {
        one: '# transaction of this month does not match the blockchain.',
        other: '# transactions of this month do not match the blockchain.',
      }),
    different_wallets > 0 &&
      plural(different_wallets, {
        one: 'The balance of # wallet differs from the ledger.',
        other: 'The balances of # wallets differ from the ledger.',
      }),
    compared_wallets === 0 && 'No balance was compared with the blockchain.',
    unknown_wallets > 0 &&
      plural(unknown_wallets, {
        one: 'The balance of # wallet was not fully compared with the blockchain after the end of the month.',
        other:
          'The balances of # wallets were not fully compared with the blockchain after the end of the month.',
      }),
    pending_count > 0 &&
      plural(pending_count, {
        one: '# transaction of this month is not verified yet.',
        other: '# transactions of this month are not verified yet.',
      }),
  ].filter((sentence) => sentence !== false)
  const unvalued =
    unvalued_count > 0 &&
    plural(unvalued_count, {
      one: '# transaction of this month has no dollar value, so no sum includes it.',
      other: '# transactions of this month have no dollar value, so no sum includes them.',
    })
  return {
    subject: `${month}: ${received} in, ${paid} out, ${left} left`,
    blocks: [
      { kind: 'heading', text: `${month}: ${received} in, ${paid} out` },
      {
        kind: 'figures',
        rows: [
          { name: 'In', value: received ?? '' },
          { name: 'Out', value: paid ?? '' },
          { name: 'Left at the end of the month', value: left ?? '' },
        ],
      },
      {
        kind: 'text',
        text: [
          unmatched.length > 0
            ? unmatched.join(' ')
            : 'Every transaction and every balance matched the blockchain.',
          unvalued,
        ]
          .filter(Boolean)
          .join(' '),
      },
      {
        kind: 'button',
        label: 'See every transaction',
        href: `${site}/transparency?from=${content.month}-01#history`,
      },
    ],
  }
}

/** The text in one line, cut at a word after at most `most` characters. */
function oneLine(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= most) return line
  const part = line.slice(0, most - 1)
  return `${part.slice(0, Math.max(part.lastIndexOf(' '), most / 2))}…`
}
