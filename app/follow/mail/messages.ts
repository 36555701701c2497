import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { hasNoLimit } from '../../chain/token-calls'
import { arrivalWords } from '../../ledger/arrivals'
import { sharedWords } from '../../ledger/calls'
import { readPictureLink, shownUrl } from '../../ledger/update-picture'
import { firstCharacters } from '../../platform/first-characters'
import { isGoalSlug } from '../../platform/goal-slug'
import type { Language } from '../../platform/locales/language'
import { brand } from '../../platform/site'
import { findTopic, topicName } from '../topics'
import type { ControlFacts, Fact, MailRow } from './facts'
import { type Block, leaveBlocks, toHtml, toText } from './layout'
import type { Mail } from './send.server'

/** The maximum length of a subject, in characters. Most clients show fewer. */
const maxSubject = 90

type Content<K extends Fact['kind']> = Extract<Fact, { kind: K }>['content']
interface Message {
  subject: string
  blocks: Block[]
}

/** The site's URL, the follower's language, and the names of topics. */
interface Place {
  site: string
  language: Language
  /** The name of a topic within a sentence. */
  nameOf: (topic: string) => string
}

/**
 * The email for a claimed row, in a language. `fact` is null for a request and for the email that asks
 * whether to keep following. Texts that operators wrote are not translated.
 */
export function writeMail(row: MailRow, fact: Fact | null, site: string, language: Language): Mail {
  const nameOf = (topic: string) => row.titles[topic] ?? topicName(topic, language.i18n)
  const place = { site, language, nameOf }
  const links = linksOf(place, row)
  const message = row.ask
    ? askMessage(row.ask, links, place)
    : row.is_request
      ? confirmation(row, links, place)
      : fact
        ? factMessage(fact, place)
        : keepQuestion(row, links, place)
  const topic = fact && row.topic ? nameOf(row.topic) : null
  // A member gets these emails about their own goal, and an operator about an order: they have no links to unfollow.
  const isAlone = row.is_request || row.is_own || row.ask !== null
  const blocks = isAlone
    ? message.blocks
    : [
        ...message.blocks,
        ...comingBlocks(row, place),
        ...leaveBlocks(topic, links.leaveTopic, links.leaveAll, language.i18n),
      ]
  const subject = oneLine(message.subject, maxSubject)
  return {
    to: row.address,
    subject,
    html: toHtml(subject, blocks, language.locale),
    text: toText(blocks),
    headers: row.ask
      ? { 'List-Unsubscribe': `<${links.never}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      : isAlone
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
  answer: string
  /** Without the token of the answer: mail programs and services keep headers. */
  never: string
}

function linksOf({ site, language }: Place, { token, topic, ask }: MailRow): Links {
  const link = (path: string) => site + language.href(path)
  const about = topic ? `&topic=${topic}` : ''
  return {
    confirm: link(`/follow/confirm?token=${token}${about}`),
    keep: link(`/follow/keep?token=${token}`),
    leaveTopic: link(`/follow/leave?token=${token}${about}`),
    leaveAll: link(`/follow/leave?token=${token}&topic=all`),
    answer: link(`/arrived?token=${token}`),
    never: link(`/arrived/never?token=${ask?.never ?? ''}`),
  }
}

/** The message that asks a recipient whether a payment arrived. No operator sees its links. */
function askMessage(
  ask: NonNullable<MailRow['ask']>,
  { answer, never }: Links,
  { language }: Place,
): Message {
  const { i18n, formats } = language
  const { note, by, second } = ask
  const amount = amountWords({ ...ask, usd: ask.amount_usd }, language)
  const day = formats.day(ask.occurred_at)
  const subject = i18n._(
    note ? msg`Did you receive ${amount} for ${note} on ${day}?` : msg`Did you receive ${amount} on ${day}?`,
  )
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      {
        kind: 'text',
        text: i18n._(
          msg`${brand} paid this to your wallet. Press the button and choose Yes, "Yes, but" or No. You need no account. Everyone sees your answer, and not your address.`,
        ),
      },
      {
        kind: 'button',
        label: i18n._(msg({ message: 'Answer', comment: 'A button: whether a payment arrived' })),
        href: answer,
      },
      {
        kind: 'small',
        text: i18n._(
          msg`You get this email because ${by} and ${second} of ${brand} entered your address as that of the recipient, before the payment. They don't see this link: only who has this email can answer. It works for 180 days.`,
        ),
      },
      { kind: 'link', label: i18n._(msg`Never ask me again`), href: never },
    ],
  }
}

function confirmation({ topic }: MailRow, { confirm }: Links, { language, nameOf }: Place): Message {
  const { i18n } = language
  const name = nameOf(topic ?? '')
  const subject = i18n._(msg`Confirm that you want emails about ${name}`)
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      {
        kind: 'text',
        text: i18n._(
          msg`You, or someone who typed your address, asked for emails about ${name}. Confirm if it was you.`,
        ),
      },
      { kind: 'button', label: i18n._(msg`Confirm`), href: confirm },
      {
        kind: 'small',
        text: i18n._(
          msg`The link is valid for three days. If it was not you, do nothing: you get no other email, and we delete your address.`,
        ),
      },
    ],
  }
}

function keepQuestion({ topics }: MailRow, { keep }: Links, { language, nameOf }: Place): Message {
  const { i18n, formats } = language
  const names = formats.words(topics.map(nameOf), 'and')
  const subject = i18n._(msg`Keep following ${names}?`)
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      {
        kind: 'text',
        text: i18n._(
          msg`We ask before we send you more emails. If you do nothing, they stop, and we delete your address within a month.`,
        ),
      },
      { kind: 'button', label: i18n._(msg`Keep following`), href: keep },
    ],
  }
}

function factMessage(fact: Fact, place: Place): Message {
  switch (fact.kind) {
    case 'update':
      return updateMessage(fact.topic, fact.content, place)
    case 'spending':
      return spendingMessage(fact.topic, fact.content, place)
    case 'call':
      return callMessage(fact.content, place)
    case 'month':
      return monthMessage(fact.content, place)
    case 'goal':
      return goalMessage(fact.content, place)
    case 'taken':
      return takenMessage(fact.content, place)
    case 'custody':
      return custodyMessage(fact.content, place)
    case 'opens':
      return openingMessage(place)
  }
}

/** The button that leads to a part of a topic's page. */
function topicButton(topic: string, part: string, { site, language, nameOf }: Place): Block {
  const { i18n, href } = language
  const name = nameOf(topic)
  const path = isGoalSlug(topic) ? `/giveback/${topic}` : (findTopic(topic)?.path ?? '/voting')
  return {
    kind: 'button',
    label: i18n._(msg({ message: `See ${name}`, comment: 'A button; the name of a pool' })),
    href: site + href(`${path}#${part}`),
  }
}

function updateMessage(topic: string, { text, links }: Content<'update'>, place: Place): Message {
  const all = links?.split('\n') ?? []
  const others = all.filter((link) => !readPictureLink(link))
  const pictures = all.flatMap((link) => readPictureLink(link) ?? [])
  // No operator has read what the member of a goal wrote: it is not the subject, and its links are text.
  const isOfMember = isGoalSlug(topic)
  const name = place.nameOf(topic)
  return {
    subject: isOfMember
      ? place.language.i18n._(msg`News about the goal ${name}`)
      : `${name}: ${oneLine(text, maxSubject)}`,
    blocks: [
      { kind: 'text', text, lang: isOfMember ? '' : 'en' },
      ...pictures.map(
        ({ path, ...picture }): Block => ({ kind: 'picture', src: place.site + shownUrl(path), ...picture }),
      ),
      ...(others.length > 0
        ? [
            {
              kind: 'list' as const,
              items: others.map((link) => ({ text: link, ...(isOfMember ? {} : { href: link }) })),
            },
          ]
        : []),
      topicButton(topic, 'updates', place),
    ],
  }
}

type Amount = Pick<Content<'call'>, 'usd' | 'token_amount' | 'token_symbol' | 'token_decimals'>

/** The words for an amount: '$1,120.40', or '2 BNB' for an amount without a value in dollars. */
function amountWords(
  { usd, token_amount, token_symbol, token_decimals }: Amount,
  { i18n, formats }: Language,
): string {
  if (usd !== null && (usd !== 0 || token_amount === null)) return formats.exactDollars(usd)
  if (token_amount === null || token_symbol === null || token_decimals === null)
    return i18n._(
      msg({ message: 'an amount without a dollar value', comment: 'In place of "$20", inside a sentence' }),
    )
  return formats.tokens({ amount: BigInt(token_amount), symbol: token_symbol, decimals: token_decimals })
}

/** The sum of the payments in an email: '$900', or '$900 and 2 payments without a dollar value'. */
function spentWords(payments: Content<'spending'>['payments'], language: Language): string {
  const { i18n, formats } = language
  const valued = payments.filter(({ usd }) => usd !== null)
  const others = payments.length - valued.length
  const [only] = payments
  if (valued.length === 0)
    return only && payments.length === 1
      ? amountWords(only, language)
      : i18n._(msg`${plural(others, { one: '# payment', other: '# payments' })}`)
  const total = formats.dollars(valued.reduce((sum, { usd }) => sum + (usd ?? 0), 0))
  if (others === 0) return total
  return i18n._(
    msg({
      message: `${total} and ${plural(others, { one: '# payment without a dollar value', other: '# payments without a dollar value' })}`,
      comment: 'After "Education spent"',
    }),
  )
}

/** What recipients said since the email before. */
function answerBlocks(answers: Content<'spending'>['answers'], { site, language }: Place): Block[] {
  const { i18n, href } = language
  if (answers.length === 0) return []
  return [
    { kind: 'text', text: i18n._(msg`What recipients say of earlier payments:`) },
    {
      kind: 'list',
      items: answers.map(({ id, note, state }) => {
        const words = i18n._(arrivalWords[state])
        return {
          text: note ? i18n._(msg`${note}: ${words}`) : words,
          href: `${site}${href(`/transparency/${id}`)}#arrival`,
        }
      }),
    },
  ]
}

function spendingMessage(topic: string, { payments, answers }: Content<'spending'>, place: Place): Message {
  const { site, language } = place
  const { i18n, href } = language
  const name = place.nameOf(topic)
  const spent = spentWords(payments, language)
  const bought = [...new Set(payments.flatMap(({ note, recipient }) => note ?? recipient ?? []))].join(', ')
  const headline = i18n._(bought ? msg`${name} spent ${spent}: ${bought}` : msg`${name} spent ${spent}`)
  return {
    subject: headline,
    blocks: [
      { kind: 'heading', text: headline },
      {
        kind: 'list',
        items: payments.map((payment) => ({
          text: paymentWords(payment, language),
          href: site + href(`/transparency/${payment.id}`),
        })),
      },
      { kind: 'text', text: i18n._(msg`Each payment is verified on the blockchain.`) },
      ...answerBlocks(answers, place),
      topicButton(topic, 'spending', place),
    ],
  }
}

/** The words for a payment: '$900.00 to Riverside Books on 3 Nov 2025: 40 desks'. */
function paymentWords(payment: Content<'spending'>['payments'][number], language: Language): string {
  const { recipient, note } = payment
  const amount = amountWords(payment, language)
  const day = language.formats.day(payment.occurred_at)
  const paid = language.i18n._(
    recipient
      ? msg`${amount} to ${recipient} on ${day}`
      : msg({ message: `${amount} on ${day}`, comment: 'A payment: its amount and its day' }),
  )
  return note ? language.i18n._(msg`${paid}: ${note}`) : paid
}

/** The announced payments of the topic, each with the time at which it will be paid. */
function comingBlocks({ coming }: MailRow, { site, language }: Place): Block[] {
  const { i18n, formats, href } = language
  if (coming.length === 0) return []
  const items = coming.map(({ id, due_at, recipient, ...tokens }) => {
    const amount = amountWords({ ...tokens, usd: null }, language)
    const time = formats.instant(due_at)
    const name = recipient && topicName(recipient, i18n)
    return {
      text: i18n._(
        name ? msg`${amount} to ${name} will be paid on ${time}` : msg`${amount} will be paid on ${time}`,
      ),
      href: site + href(`/transparency/orders#order-${id}`),
    }
  })
  return [
    { kind: 'text', text: i18n._(msg`Coming payments, unless an operator stops them:`) },
    { kind: 'list', items },
  ]
}

function callMessage(content: Content<'call'>, { site, language }: Place): Message {
  const { i18n, formats, href } = language
  const { author, posted_at, text, url, action, transaction_id, shared_count } = content
  const shared = sharedWords({ sharedCount: shared_count }, language)
  const amount = amountWords(content, language)
  const day = formats.day(posted_at)
  const headline = i18n._(msg`${amount} paid after a statement of ${author}`)
  return {
    subject: action ? i18n._(msg`${amount} paid: ${action}`) : headline,
    blocks: [
      { kind: 'heading', text: headline },
      ...(action ? [{ kind: 'text' as const, text: action, lang: 'en' as const }] : []),
      ...(shared ? [{ kind: 'text' as const, text: shared }] : []),
      { kind: 'text', text: i18n._(msg`${author} wrote on ${day}:`) },
      text === null
        ? { kind: 'list', items: [{ text: url, href: url }] }
        : { kind: 'quote', text, lang: 'en' },
      {
        kind: 'button',
        label: i18n._(msg`See the payment`),
        href: site + href(`/transparency/${transaction_id}`),
      },
    ],
  }
}

function monthMessage(content: Content<'month'>, { site, language }: Place): Message {
  const { i18n, formats, href } = language
  const { received_usd, paid_usd, left_usd, disputed_count, pending_count, unvalued_count } = content
  const { compared_wallets, different_wallets, unknown_wallets } = content
  const month = formats.month(new Date(`${content.month}-01T00:00:00Z`))
  const received = formats.dollars(received_usd)
  const paid = formats.dollars(paid_usd)
  const left = formats.dollars(left_usd)
  const unmatched = [
    disputed_count > 0 &&
      msg`${plural(disputed_count, {
        one: '# transaction of this month does not match the blockchain.',
        other: '# transactions of this month do not match the blockchain.',
      })}`,
    different_wallets > 0 &&
      msg`${plural(different_wallets, {
        one: 'The balance of # wallet differs from the ledger.',
        other: 'The balances of # wallets differ from the ledger.',
      })}`,
    compared_wallets === 0 && msg`No balance was compared with the blockchain.`,
    unknown_wallets > 0 &&
      msg`${plural(unknown_wallets, {
        one: 'The balance of # wallet was not fully compared with the blockchain after the end of the month.',
        other:
          'The balances of # wallets were not fully compared with the blockchain after the end of the month.',
      })}`,
    pending_count > 0 &&
      msg`${plural(pending_count, {
        one: '# transaction of this month is not verified yet.',
        other: '# transactions of this month are not verified yet.',
      })}`,
  ].filter((sentence) => sentence !== false)
  const matched = msg`Every transaction and every balance matched the blockchain.`
  const sentences = unmatched.length > 0 ? unmatched : [matched]
  if (unvalued_count > 0)
    sentences.push(
      msg`${plural(unvalued_count, {
        one: '# transaction of this month has no dollar value, so no sum includes it.',
        other: '# transactions of this month have no dollar value, so no sum includes them.',
      })}`,
    )
  return {
    subject: i18n._(msg`${month}: ${received} in, ${paid} out, ${left} left`),
    blocks: [
      { kind: 'heading', text: i18n._(msg`${month}: ${received} in, ${paid} out`) },
      {
        kind: 'figures',
        rows: [
          {
            name: i18n._(msg({ message: 'In', context: 'money', comment: 'The sum that came in' })),
            value: received,
          },
          {
            name: i18n._(msg({ message: 'Out', context: 'money', comment: 'The sum that went out' })),
            value: paid,
          },
          { name: i18n._(msg`Left at the end of the month`), value: left },
        ],
      },
      { kind: 'text', text: i18n.join(sentences) },
      {
        kind: 'button',
        label: i18n._(msg`See every transaction`),
        href: site + href(`/transparency?from=${content.month}-01#history`),
      },
    ],
  }
}

/** The only email to those who asked when the site opens. */
function openingMessage({ site, language: { i18n, href } }: Place): Message {
  const subject = i18n._(msg`${brand} is open: you can give now`)
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      {
        kind: 'text',
        text: i18n._(
          msg`Choose a cause, and follow your gift to its payment. You asked for this one email. We write about this no more, and delete your address unless you follow something else.`,
        ),
      },
      { kind: 'button', label: i18n._(msg`Choose a cause`), href: site + href('/donate') },
    ],
  }
}

const walletFaults: Record<NonNullable<Content<'goal'>['fault']>, MessageDescriptor> = {
  proof: msg`The proof of its wallet is not valid any more. Make a new account in your wallet app and prove it.`,
  ours: msg`Its wallet is one of our own. Make a new account in your wallet app and prove it.`,
  used: msg`Its wallet has sent something before. Make a new account in your wallet app and prove it.`,
  holds: msg`Something arrived at its wallet before the approval. Make a new account in your wallet app and prove it.`,
}

/** The message to a member about an event of the member's goal. */
function goalMessage(content: Content<'goal'>, { site, language }: Place): Message {
  const { i18n, formats, href } = language
  const { event, goal, slug, reason, fault, ends_at, report_due_at, received_usd } = content
  const title = content.title ?? slug
  const received = formats.dollars(received_usd ?? 0)
  const lastDay = ends_at ? formats.day(ends_at) : ''
  const dueDay = report_due_at ? formats.day(report_due_at) : ''
  const words: Record<typeof event, [subject: MessageDescriptor, text: MessageDescriptor]> = {
    returned: [
      msg`Your goal needs a change: ${title}`,
      fault
        ? walletFaults[fault]
        : msg`We can't approve it as it is. Change it, and submit it again. The reason:`,
    ],
    rejected: [msg`Your goal was not approved: ${title}`, msg`The decision is final. The reason:`],
    open: [
      msg`Your goal is open: ${title}`,
      msg`Everyone can read it and give until ${lastDay}. Share its page, and tell in updates what happens.`,
    ],
    gift: [
      msg`The first gift arrived: ${title}`,
      msg`${received} arrived at your wallet. The page of your goal lists each gift.`,
    ],
    ended: [
      msg`Your goal has ended: ${title}`,
      msg`${received} arrived at your wallet. Tell what it bought: your final report is due on ${dueDay}.`,
    ],
    'report-due': [
      msg`Your final report is due on ${dueDay}: ${title}`,
      msg`Tell those who gave what their money bought. Until we have accepted the report, you can't submit another goal.`,
    ],
    'report-overdue': [
      msg`Your final report is overdue: ${title}`,
      msg`The page of your goal says so. Until we have accepted the report, you can't submit another goal.`,
    ],
  }
  const [subject, text] = words[event]
  const isShown = event === 'open' || event === 'gift'
  return {
    subject: i18n._(subject),
    blocks: [
      { kind: 'heading', text: i18n._(subject) },
      { kind: 'text', text: i18n._(text) },
      ...(reason ? [{ kind: 'quote' as const, text: reason, lang: 'en' as const }] : []),
      {
        kind: 'button',
        label: i18n._(msg`See your goal`),
        href: site + href(isShown ? `/giveback/${slug}` : `/dashboard/goals/${goal}`),
      },
    ],
  }
}

/** The message to operators about an order that one of them took a day ago. */
function takenMessage(content: Content<'taken'>, { site, language }: Place): Message {
  const { i18n, formats, href } = language
  const { number, by } = content
  const amount = amountWords({ ...content, usd: null }, language)
  const time = formats.instant(content.expires_at)
  const subject = i18n._(msg`${by} took order ${number} a day ago and has not paid it`)
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      {
        kind: 'text',
        text: i18n._(
          msg`The order of ${amount} is paid by hand, because ${by} took it. Pay it or stop it before ${time}. After that it expires, and its page says that ${by} took it and did not pay.`,
        ),
      },
      { kind: 'button', label: i18n._(msg`Open payments`), href: site + href('/operator/payments') },
    ],
  }
}

/** The message to operators about a wallet whose keys changed on the blockchain, or what others may spend of it. */
function custodyMessage({ wallet, former, now }: Content<'custody'>, { site, language }: Place): Message {
  const { i18n, href } = language
  const subject = i18n._(msg`Who can move the money of a wallet changed`)
  const was = controlWords(former, language)
  const is = controlWords(now, language)
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      { kind: 'text', text: wallet },
      {
        kind: 'text',
        text: i18n._(
          msg`Before: ${was} Now: ${is} If you didn't decide this together, a key may be stolen: suspend all payments and ask the holders.`,
        ),
      },
      { kind: 'button', label: i18n._(msg`See our wallets`), href: site + href('/transparency/wallets') },
    ],
  }
}

function controlWords(facts: ControlFacts, language: Language): string {
  const { i18n, formats } = language
  const { control, keys, modules, allowances } = facts
  const least = facts.threshold ?? 0
  const moved =
    control === 'key'
      ? msg`one key.`
      : control === 'contract'
        ? msg`a contract that is not known to us.`
        : msg`${least} of ${keys} keys, modules: ${modules}.`
  const list = allowances
    ?.map(({ spender, ...tokens }) => {
      const { symbol } = tokens
      const amount = hasNoLimit(tokens.amount)
        ? i18n._(msg`${symbol} without a limit`)
        : formats.tokens(tokens, 2)
      return `${amount} (${spender})`
    })
    .join(', ')
  const allowed =
    list === undefined
      ? msg`What others may spend was not read.`
      : list === ''
        ? msg`Others may spend nothing without the keys.`
        : msg`Others may spend without the keys: ${list}.`
  return `${i18n._(moved)} ${i18n._(allowed)}`
}

/** The text on one line of at most `most` characters, cut at a word boundary. */
function oneLine(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= most) return line
  const part = firstCharacters(line, most - 1)
  if (part === line) return line
  const space = part.lastIndexOf(' ')
  return `${space > most / 2 ? part.slice(0, space) : part}…`
}
