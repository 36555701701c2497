import * as z from 'zod'
import { rowsOf } from '../app/chain/ledger-store.server.ts'
import { integerColumn } from '../app/server/columns.server.ts'
import { type Operator, UsageError } from './ledger-operator.ts'

/** A statement as an operator enters it. */
export interface Statement {
  text?: string
  link?: string
  author?: string
  posted?: string
  action?: string
  captured?: string
  'confirmed-by'?: string
  tx?: string
  revision?: boolean
}

const linkQuestion = { link: 'Link of the statement (https://…)' }
const questions = {
  text: 'Text of the statement',
  author: 'Author',
  posted: 'Time of the statement (2025-11-20T18:30:00Z)',
  action: 'Action taken',
}

const callRow = z.object({
  tweet_text: z.string().nullable(),
  author: z.string(),
  posted_at: z.string(),
  action_taken: z.string().nullable(),
  tx_hash: z.string().nullable(),
  captured_at: z.string().nullable(),
  revision: integerColumn,
})

/**
 * Records a statement, or corrects the one with that link. The statement is confirmed only if the operator states how;
 * a correction without --confirmed-by removes the confirmation. Prompts for missing values (Operator.complete). Throws
 * a UsageError for wrong values, and if the backend refuses the statement.
 */
export async function addCall(operator: Operator, given: Statement): Promise<void> {
  const { config, service, confirm } = operator
  // A correction needs only the link: the published statement with that link has the other values.
  const first = await operator.complete<Statement, string>(
    given,
    given.revision ? linkQuestion : { ...linkQuestion, ...questions },
  )
  const { link = '' } = first
  if (!/^https:\/\/[!-~]+$/.test(link))
    throw new UsageError('--link must be the address of the post, like https://x.com/…')
  const [before] = await service.rows('published_cz_calls', callRow, (query) =>
    query.eq('tweet_url', link).limit(1),
  )
  if (before && !given.revision) throw new UsageError('Already published. To correct it, add --revision.')
  if (!before && given.revision)
    throw new UsageError("Nothing to correct: this post isn't published yet. Leave out --revision.")

  const known = {
    text: before?.tweet_text ?? undefined,
    author: before?.author,
    posted: before?.posted_at,
    action: before?.action_taken ?? undefined,
  }
  const said = await operator.complete({ ...known, ...first, link }, questions)
  const tx = said.tx?.toLowerCase() ?? before?.tx_hash ?? null
  if (tx && !/^0x[0-9a-f]{64}$/.test(tx))
    throw new UsageError('--tx must be a transaction hash: 0x and 64 characters.')
  if (tx && (await rowsOf(service, config.CHAIN_ID, [tx])).length === 0)
    throw new UsageError("That payment isn't in the ledger yet. Run: npm run ledger -- add <hash>")
  const statement = {
    posted_at: timeFrom('--posted', said.posted ?? ''),
    captured_at: timeFrom('--captured', said.captured ?? before?.captured_at ?? new Date().toISOString()),
    author: said.author,
    tweet_text: said.text,
    tweet_url: link,
    action_taken: said.action,
    confirmed_by: said['confirmed-by']?.trim() || null,
    tx_hash: tx,
    chain_id: tx ? config.CHAIN_ID : null,
    revision: before ? before.revision + 1 : 0,
  }
  const shownAs = statement.confirmed_by
    ? 'This will be published as "source confirmed".'
    : 'This will be published as "source not confirmed". Add --confirmed-by to change that.'
  await confirm(`${JSON.stringify(statement, null, 2)}\n${shownAs}`)
  const { error } = await service.api.rpc('append_statement', { statement: statement as never })
  if (error) throw new UsageError(`The backend refused it: ${error.message}`)
  console.log(`Published. It appears on ${config.SITE_URL}/cz-call within a minute.`)
  await operator.tellSite()
}

/**
 * Converts a time to ISO 8601 in UTC. Also accepts PostgreSQL's form '2025-11-20 18:30:00+00'. Throws a UsageError with
 * the option's name `name` if the text is not a time.
 */
export function timeFrom(name: string, text: string): string {
  const time = new Date(text.replace(/^(\S+) (\S+)([+-]\d\d)$/, '$1T$2$3:00'))
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`${name} must be a UTC time like 2025-11-20T18:30:00Z`)
  return time.toISOString()
}
