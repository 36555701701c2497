import * as z from 'zod'
import { findPool, impactPools } from '../app/impact-pools.ts'
import { integerColumn } from '../app/server/columns.server.ts'
import { doAct, inWords, readAct } from './ledger-act.ts'
import { type Operator, UsageError } from './ledger-operator.ts'

/** An update of a pool with the values that an operator enters. */
export interface Update {
  pool?: string
  text?: string
  /** https links, separated by spaces. */
  links?: string
  dated?: string
  helping?: string
  'helping-source'?: string
  number?: string
  revision?: boolean
}

/**
 * Records an update of a pool, or corrects the update with the given --number. Throws a UsageError for wrong
 * values, and if the backend refuses.
 */
export async function addUpdate(operator: Operator, given: Update): Promise<void> {
  const { config, confirm } = operator
  const before = given.revision ? await readUpdate(operator, given) : null
  const said = await operator.complete(
    { ...given, text: given.text ?? before?.text ?? undefined },
    { pool: `Pool (${impactPools.map(({ slug }) => slug).join(', ')})`, text: 'Text of the update' },
  )
  const pool = findPool(said.pool)
  if (!pool) throw new UsageError(`--pool must be one of: ${impactPools.map(({ slug }) => slug).join(', ')}.`)
  const links = said.links?.split(/\s+/).filter(Boolean) ?? before?.links?.split('\n') ?? []
  const helping = said.helping ?? before?.helping?.toString()
  const source = said['helping-source'] ?? before?.helping_source ?? null
  if ((helping === undefined) !== (source === null))
    throw new UsageError('Use --helping and --helping-source together.')
  const act = readAct(
    'update',
    { subject: before ? `${pool.slug}/${before.number}` : null, version: before?.revision ?? null },
    {
      ...{ pool: pool.slug, text: said.text, links: links.join('\n'), helping, helping_source: source },
      dated: said.dated ?? before?.published_at ?? new Date().toISOString(),
    },
  )
  await confirm(inWords([act]))
  const { subject } = await doAct(operator, act)
  console.log(`Published as update ${subject.split('/')[1]}: ${config.SITE_URL}/voting/${pool.slug}`)
  await operator.tellSite()
}

const updateRow = z.object({
  number: integerColumn,
  revision: integerColumn,
  published_at: z.string(),
  text: z.string().nullable(),
  links: z.string().nullable(),
  helping: integerColumn.nullable(),
  helping_source: z.string().nullable(),
})

async function readUpdate({ service }: Operator, { pool, number }: Update) {
  if (!pool || !number) throw new UsageError('Name the update to correct by --pool and --number.')
  const [found] = await service.rows('published_updates', updateRow, (query) =>
    query.eq('pool_slug', pool).eq('number', Number(number)).limit(1),
  )
  if (!found) throw new UsageError(`The pool ${pool} has no update ${number}.`)
  return found
}
