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

/**
 * Records a statement, or corrects the one of that link. It is confirmed only where somebody says how: a correction
 * that does not say so takes the confirmation back.
 */
export async function addCall({ config, service, confirm }: Operator, said: Statement): Promise<void> {
  const link = said.link
  if (!link || !/^https:\/\/\S+$/.test(link))
    throw new UsageError('--link is where the statement stands: https://…')
  const [before] = await unwrap(
    'published_cz_calls',
    service.from('published_cz_calls').select('*').eq('tweet_url', link).limit(1).retry(false),
  )
  if (before && !said.revision)
    throw new UsageError('The feed has it already. To correct it, add --revision.')
  if (!before && said.revision) throw new UsageError('The feed does not have it: add it without --revision.')

  const tx = said.tx?.toLowerCase() ?? before?.tx_hash ?? null
  if (tx && !/^0x[0-9a-f]{64}$/.test(tx)) throw new UsageError('--tx is a transaction: 0x and 64 hex digits.')
  if (tx && (await rowsOf(service, config.CHAIN_ID, [tx])).length === 0)
    throw new UsageError('The ledger does not have that transaction. Add it first: npm run ledger -- add')
  const call = {
    posted_at: timeFrom('--posted', said.posted ?? before?.posted_at),
    author: required('--author', said.author ?? before?.author),
    confirmed_by: said['confirmed-by']?.trim() || null,
    tweet_text: required('--text', said.text ?? before?.tweet_text),
    tweet_url: link,
    action_taken: required('--action', said.action ?? before?.action_taken),
    captured_at: timeFrom('--captured', said.captured ?? before?.captured_at ?? new Date().toISOString()),
    tx_hash: tx,
    chain_id: tx ? config.CHAIN_ID : null,
    revision: before ? Number(before.revision) + 1 : 0,
  }
  const source = call.confirmed_by ? `confirmed: ${call.confirmed_by}` : 'not confirmed by its source'
  await confirm(`${JSON.stringify(call, null, 2)}\nIt will be shown as ${source}.`)
  const { error } = await service.rpc('append_statement', { statement: call })
  if (error) throw new UsageError(`The backend refused it: ${error.message}`)
  console.log('Written.')
}

function required(name: string, value: string | null | undefined): string {
  if (!value?.trim()) throw new UsageError(`${name} is missing.`)
  return value
}

function timeFrom(name: string, value: string | null | undefined): string {
  const text = required(name, value)
  const time = new Date(text.replace(/^(\S+) (\S+)([+-]\d\d)$/, '$1T$2$3:00'))
  if (Number.isNaN(time.getTime())) throw new UsageError(`${name} is a time: 2025-11-20T18:30:00Z`)
  return time.toISOString()
}
