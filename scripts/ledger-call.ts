import * as z from 'zod'
import { integerColumn } from '../app/server/columns.server.ts'
import { doAct, inWords, readAct } from './ledger-act.ts'
import { type Operator, UsageError } from './ledger-operator.ts'

/** A statement with the values that an operator enters. */
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
  verified: z.boolean(),
  tx_hash: z.string().nullable(),
  captured_at: z.string().nullable(),
  revision: integerColumn,
})

/**
 * Publishes a statement. With --revision, corrects the statement with the given link. A statement is
 * confirmed only if the operator says how; the confirmation is a separate act with its own revision. A
 * correction without --confirmed-by removes the confirmation. To confirm a published statement, the operator
 * must give its action again. Prompts for missing values (Operator.complete). Throws a UsageError for wrong
 * values, and if the backend refuses the statement.
 */
export async function addCall(operator: Operator, given: Statement): Promise<void> {
  const { config, service } = operator
  // A correction needs only the link: the command reads the other values from the published statement.
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

  const confirmsNow = Boolean(before && !before.verified && given['confirmed-by'])
  const known = {
    text: before?.tweet_text ?? undefined,
    author: before?.author,
    posted: before?.posted_at,
    // The action of an unconfirmed statement usually says that its source is being checked, so the command
    // asks again.
    action: confirmsNow ? undefined : (before?.action_taken ?? undefined),
  }
  const said = await operator.complete({ ...known, ...first, link }, questions)
  const statement = readAct(
    'statement',
    { subject: before ? link : null, version: before?.revision ?? null },
    {
      ...{ link, text: said.text, author: said.author, posted: said.posted, action: said.action },
      ...{ captured: said.captured ?? before?.captured_at, tx: said.tx ?? before?.tx_hash },
    },
  )
  const how = said['confirmed-by']?.trim()
  const version = before ? before.revision + 1 : 0
  const confirmation = how ? readAct('confirmation', { subject: link, version }, { how }) : null
  const shownAs = confirmation
    ? 'This will be published as "source confirmed".'
    : 'This will be published as "source not confirmed". Add --confirmed-by to change that.'
  const acts = [statement, ...(confirmation ? [confirmation] : [])]
  await operator.confirm(`${inWords(acts)}\n${shownAs}`)
  for (const act of acts) await doAct(operator, act)
  console.log(`Published. It appears on ${config.SITE_URL}/cz-call within a minute.`)
  await operator.tellSite()
}
