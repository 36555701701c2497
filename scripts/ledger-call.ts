import { rowsOf, unwrap } from '../app/chain/ledger-writer.server.ts'
import { type Operator, UsageError } from './ledger-operator.ts'

/** A statement as an operator gives it. */
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
  action: 'What was done about it',
}

/**
 * Records a statement, or corrects the one with that link. It is confirmed only where the operator says by whom; a
 * correction without --confirmed-by takes the confirmation back. Asks for missing values on a terminal; elsewhere
 * lists all of them at once.
 */
export async function addCall(operator: Operator, given: Statement): Promise<void> {
  const { config, service, confirm } = operator
  // A correction needs its link only: the statement of that link has the other values.
  const first = await operator.complete<Statement, string>(
    given,
    given.revision ? linkQuestion : { ...linkQuestion, ...questions },
  )
  const { link = '' } = first
  if (!/^https:\/\/\S+$/.test(link)) throw new UsageError('--link is the address of the statement: https://…')
  const [before] = await unwrap(
    'published_cz_calls',
    service.from('published_cz_calls').select('*').eq('tweet_url', link).limit(1).retry(false),
  )
  if (before && !given.revision)
    throw new UsageError('The feed has it already. To correct it, add --revision.')
  if (!before && given.revision) throw new UsageError('The feed does not have it: add it without --revision.')

  const known = {
    text: before?.tweet_text ?? undefined,
    author: before?.author ?? undefined,
    posted: before?.posted_at ?? undefined,
    action: before?.action_taken ?? undefined,
  }
  const said = await operator.complete({ ...known, ...first, link }, questions)
  const tx = said.tx?.toLowerCase() ?? before?.tx_hash ?? null
  if (tx && !/^0x[0-9a-f]{64}$/.test(tx)) throw new UsageError('--tx is a transaction: 0x and 64 hex digits.')
  if (tx && (await rowsOf(service, config.CHAIN_ID, [tx])).length === 0)
    throw new UsageError('The ledger does not have that transaction. Add it first: npm run ledger -- add')
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
    revision: before ? Number(before.revision) + 1 : 0,
  }
  const shownAs = statement.confirmed_by
    ? `confirmed: ${statement.confirmed_by}`
    : 'not confirmed by its source'
  await confirm(`${JSON.stringify(statement, null, 2)}\nIt will be shown as ${shownAs}.`)
  const { error } = await service.rpc('append_statement', { statement: statement as never })
  if (error) throw new UsageError(`The backend refused it: ${error.message}`)
  console.log(`Written: ${config.SITE_URL}/cz-call`)
  await operator.tellSite()
}

/** A time in ISO 8601, also as the embedded backend writes it. */
export function timeFrom(name: string, text: string): string {
  const time = new Date(text.replace(/^(\S+) (\S+)([+-]\d\d)$/, '$1T$2$3:00'))
  if (Number.isNaN(time.getTime())) throw new UsageError(`${name} is a time: 2025-11-20T18:30:00Z`)
  return time.toISOString()
}
