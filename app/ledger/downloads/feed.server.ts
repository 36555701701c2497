import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import * as z from 'zod/mini'
import { ledgerLog } from '../../log/ledger-log'
import { readCheckpoint, type SignedCheckpoint } from '../../log/published-log.server'
import type { Entry, Feed } from '../../platform/downloads/feed'
import { toAtom, toJsonFeed } from '../../platform/downloads/feed'
import { readState, refuse, respondWithEtag, unavailable } from '../../platform/downloads/state.server'
import { firstCharacters } from '../../platform/first-characters'
import { isGoalSlug } from '../../platform/goal-slug'
import { findPool } from '../../platform/impact-pools'
import { createEnglish } from '../../platform/locales/language'
import { formatExactDollars } from '../../platform/money'
import { plural } from '../../platform/plural'
import {
  directionColumn,
  integerColumn,
  linkColumn,
  moneyColumn,
  timestampColumn,
} from '../../platform/server/columns.server'
import { brand } from '../../platform/site'
import { formatDay, formatInstant } from '../../platform/time'
import { formatTokens } from '../../platform/tokens'
import { accountName } from '../accounts'
import { answerWords, sharedWords } from '../calls'
import { type Call, listCalls } from '../calls.server'
import { filterSearch, type LedgerFilter, notChecked, withoutPool } from '../filter'
import { readFilter } from '../names.server'
import { recordTitle } from '../record'
import { statusWords } from '../statuses'
import { tokenColumns, withTokens } from '../token-columns.server'
import { transactionTypes } from '../transaction-types'
import { directionWords, typeLabel, valueMissing } from '../transactions'
import { readLedger, withSides } from '../transactions.server'
import { verificationColumns } from '../verification-status.server'

/** Maximum number of rows or statements in a feed, newest first. */
const entriesPerFeed = 50

/** The `updated` time of an empty feed, which Atom requires. */
const beginning = new Date('2025-01-01T00:00:00Z')

const languages = {
  atom: { mediaType: 'application/atom+xml; charset=utf-8', write: toAtom },
  json: { mediaType: 'application/feed+json; charset=utf-8', write: toJsonFeed },
}
type Language = keyof typeof languages

/** The newest rows of the page's filter, and the newest checkpoint; with a pool's filter its feed. */
export async function answerLedgerFeed(
  { request, context }: LoaderFunctionArgs,
  language: Language,
): Promise<Response> {
  const { config } = context
  const data = context.publicData()
  const { filter, ignored } = await readFilter(data, new URL(request.url).searchParams, config.FUNDME_OPEN)
  if (ignored.length) return refuse(ignored.map(({ file }) => file))
  return answerFeed(request, context, language, async () => {
    const [rows, checkpoint] = await Promise.all([
      readLedger(data, entryRow, filter, null, entriesPerFeed),
      readCheckpoint(data, ledgerLog, config),
    ])
    if (!rows || !checkpoint) return null
    const signed = checkpoint === 'none' ? null : checkpoint
    const search = filterSearch(filter)
    const goals = config.FUNDME_OPEN
    const entries = rows.map((row) => rowEntry(row, config.SITE_URL, goals))
    // A feed with a filter has only rows as entries; its checkpoint is in the metadata.
    if (signed && !search) entries.unshift(checkpointEntry(signed, config.SITE_URL))
    return {
      path: `/transparency${search}`,
      title: `${brand}: ${nameOf(filter)}`,
      description: "Every transaction, its value and whether it's verified.",
      checkpoint: signed?.note ?? null,
      entries,
    }
  })
}

/** The newest statements, each with the action taken and its payment. */
export async function answerCallFeed(
  { request, context }: LoaderFunctionArgs,
  language: Language,
): Promise<Response> {
  const data = context.publicData()
  return answerFeed(request, context, language, async () => {
    const calls = await listCalls(data, null, entriesPerFeed)
    return (
      calls && {
        path: '/cz-call',
        title: `${brand}: CZ Call`,
        description: 'Every statement, and the payment that followed.',
        checkpoint: null,
        entries: calls.rows.map((call) => callEntry(call, context.config.SITE_URL)),
      }
    )
  })
}

async function answerFeed(
  request: Request,
  { config, limit, publicData }: LoaderFunctionArgs['context'],
  language: Language,
  read: () => Promise<
    (Pick<Feed, 'title' | 'description' | 'checkpoint' | 'entries'> & { path: string }) | null
  >,
): Promise<Response> {
  const state = await readState(publicData())
  if (!state) return unavailable()
  const { mediaType, write } = languages[language]
  return respondWithEtag({ request, limit }, state, { 'Content-Type': mediaType }, async () => {
    const found = await read()
    if (!found) return unavailable()
    const { path, ...said } = found
    const { pathname } = new URL(request.url)
    const search = path.includes('?') ? path.slice(path.indexOf('?')) : ''
    const updated = Math.max(...said.entries.map((entry) => entry.updated.getTime()), beginning.getTime())
    const feed: Feed = {
      ...said,
      self: config.SITE_URL + pathname + search,
      page: config.SITE_URL + path,
      language: 'en',
      author: brand,
      updated: new Date(updated),
    }
    return new Response(write(feed))
  })
}

/**
 * The parts of a filter as the title of a feed: 'Education Programme, Donation', 'Trading tax, 2025-01-01 to
 * 2025-02-01'. The title contains every part, so that two feeds with different filters have different titles.
 */
function nameOf({ q, status, direction, type, pool, wallet, from, to }: LedgerFilter): string {
  const parts = [
    pool === withoutPool ? 'no pool' : (findPool(pool)?.title ?? pool),
    type && transactionTypes[type],
    wallet && `wallet ${accountName(wallet)}`,
    direction && `direction ${direction}`,
    status && (status === notChecked ? 'not counted' : statusWords[status]),
    q && (accountName(q) ?? q),
  ].filter(Boolean)
  if (from && to) parts.push(`${from} to ${to}`)
  else if (from) parts.push(`since ${from}`)
  else if (to) parts.push(`until ${to}`)
  return parts.join(', ') || 'all transactions'
}

const entryRow = z.pipe(
  z.object({
    ...tokenColumns,
    ...verificationColumns,
    id: integerColumn,
    occurredAt: timestampColumn,
    recordedAt: timestampColumn,
    type: z.string(),
    account: z.string(),
    counterAccount: z.nullable(z.string()),
    direction: directionColumn,
    amountUsd: z.nullable(moneyColumn),
    fromAddress: z.string(),
    toAddress: z.string(),
    txHash: z.string(),
    poolSlug: z.nullable(z.string()),
    proofUrl: linkColumn,
    note: z.nullable(z.string()),
    rateSource: z.nullish(z.string()),
    counterName: z.nullable(z.string()),
    blockNumber: z.nullable(integerColumn),
    reason: z.nullable(z.string()),
    logIndex: integerColumn,
  }),
  z.transform((row) => withSides(withTokens(row))),
)

/** A side of a transfer: 'Education Programme, 0x…' for an account of ours, else address and name. */
function sideWords(account: string | null, address: string, named: string | null): string {
  const ours = accountName(account)
  if (ours) return `${ours}, ${address}`
  return named ? `${named} (as named by us), ${address}` : address
}

/** The feed entry for a row. `goals`: whether the goal pages are open. */
function rowEntry(row: z.infer<typeof entryRow>, siteUrl: string, goals: boolean): Entry {
  const { amountUsd, tokens, poolSlug } = row
  const lines = [
    `Type: ${typeLabel(row.type)}`,
    `Direction: ${createEnglish().i18n._(directionWords(row, row.fromAccount !== null && row.toAccount !== null))}`,
    `Value in US dollars: ${amountUsd === null ? createEnglish().i18n._(valueMissing) : formatExactDollars(amountUsd)}`,
    tokens && `Amount in tokens: ${formatTokens(tokens)}`,
    `Status: ${statusWords[row.status]}`,
    row.reason && `Reason: ${row.reason}`,
    row.blockNumber !== null && `Block: ${row.blockNumber}`,
    `When: ${formatInstant(row.occurredAt)}`,
    `From: ${sideWords(row.fromAccount, row.fromAddress, row.counterName)}`,
    `To: ${sideWords(row.toAccount, row.toAddress, isGoalSlug(row.toAccount) ? null : row.counterName)}`,
    `Transaction: ${row.txHash}`,
    goals && isGoalSlug(poolSlug) && `Goal: ${siteUrl}/giveback/${poolSlug}`,
    row.proofUrl && `Proof: ${row.proofUrl}`,
    row.note && `Note: ${row.note}`,
    `Entry of the log: ${row.logIndex}`,
  ]
  const url = `${siteUrl}/transparency/${row.id}`
  return {
    id: url,
    url,
    external: row.proofUrl,
    title: recordTitle(row, createEnglish()),
    text: lines.filter(Boolean).join('\n'),
    published: row.recordedAt,
    updated: row.checkedAt ?? row.recordedAt,
  }
}

/** The newest checkpoint as an entry. A reader that stores this entry can later detect a rewritten log. */
function checkpointEntry({ size, note, signed_at: at }: SignedCheckpoint, siteUrl: string): Entry {
  return {
    id: `${siteUrl}/transparency/log/checkpoint#${size}`,
    url: `${siteUrl}/transparency/verify`,
    external: null,
    title: plural(size, {
      one: 'Signed checkpoint of the log: # entry',
      other: 'Signed checkpoint of the log: # entries',
    }),
    text: note,
    published: at,
    updated: at,
  }
}

function callEntry(call: Call, siteUrl: string): Entry {
  const { answer, postedAt, tweetUrl } = call
  // Third parties store copies of a feed, and X allows such copies to contain only the id of a post.
  const words = call.isXPost ? `Read it at ${tweetUrl}` : (call.tweetText ?? 'This text was withdrawn.')
  const lines = [
    `${call.author}${call.verified ? '' : ' (source not confirmed)'}: ${words}`,
    `Action taken: ${call.actionTaken ?? 'This text was withdrawn.'}`,
    answer && `${answerWords(postedAt, answer.at, createEnglish())}. Status: ${statusWords[answer.status]}`,
    call.txHash && `Transaction: ${call.txHash}`,
    sharedWords(call, createEnglish()),
    answer && `${siteUrl}/transparency/${answer.id}`,
    call.sourceEditedAt && `Edited at its source on ${formatDay(call.sourceEditedAt)}`,
    call.sourceGoneAt && `No longer at its source since ${formatDay(call.sourceGoneAt)}`,
    call.statementSha256 && `Text fingerprint (SHA-256): ${call.statementSha256}`,
  ]
  return {
    // The id is the statement's own URL, so that a correction updates the same entry.
    id: tweetUrl ?? `${siteUrl}/cz-call#${call.id}`,
    url: `${siteUrl}/cz-call#feed`,
    external: tweetUrl,
    title: `${call.author}: ${shorten((!call.isXPost && call.tweetText) || 'A statement')}`,
    text: lines.filter(Boolean).join('\n'),
    published: postedAt,
    updated: answer?.checkedAt ?? call.capturedAt ?? postedAt,
  }
}

function shorten(text: string): string {
  const start = firstCharacters(text, 80)
  return start.length < text.length ? `${start}…` : text
}
