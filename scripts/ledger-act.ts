import * as z from 'zod'
import { I18n } from '../app/locales/i18n.ts'
import { formatCount } from '../app/money.ts'
import { type Fault, faultWords } from '../app/operator/fault-words.ts'
import { faultOf } from '../app/operator/faults.ts'
import { type ActKind, kindOf } from '../app/operator/kinds.ts'
import { parseAct } from '../app/operator/schemas.ts'
import { integerColumn } from '../app/server/columns.server.ts'
import { formatInstant } from '../app/time.ts'
import { type Operator, UsageError } from './ledger-operator.ts'

/** The values of an act in the form that the database accepts. */
export interface Act {
  kind: ActKind
  subject: string | null
  values: Record<string, unknown>
  reason: string | null
  /** The revision of the subject that the command has read; null for a new subject. */
  version: number | null
}

const done = z.object({
  number: integerColumn,
  subject: z.string(),
  made_id: integerColumn.nullable(),
})

/**
 * Checks the entered values of an act. The keys of `typed` are the names of the kind's fields. Throws a
 * UsageError that names the option of the first wrong value.
 */
export function readAct(
  kind: ActKind,
  { subject, version }: Pick<Act, 'subject' | 'version'>,
  typed: Record<string, string | null | undefined>,
): Act {
  const read = parseAct(kind, typed)
  if ('fault' in read) throw new UsageError(`${optionOf(kind, read.field)}: ${inEnglish(read.fault)}`)
  return { kind, subject, version, ...read }
}

/** The values of acts, in the words that the pages use, for the confirmation. */
export function inWords(acts: Pick<Act, 'kind' | 'values'>[]): string {
  const facts = acts.flatMap(({ kind, values }) =>
    kindOf(kind).fields.flatMap(({ name, label }) => {
      const value = values[name]
      const text = Array.isArray(value) ? value.join('\n') : `${value ?? ''}`
      return text ? [`${label}\n${text.replace(/^/gm, '  ')}`] : []
    }),
  )
  return facts.join('\n')
}

/**
 * Performs an act with the secret key, so that the public record contains the act. Throws a UsageError if the
 * database refuses the act.
 */
export async function doAct(
  { service }: Operator,
  { kind, subject, values, reason, version }: Act,
): Promise<z.infer<typeof done>> {
  const { data, error } = await service.api.rpc('act_with_key', {
    ...{ kind, arguments: values as never, version: version ?? undefined },
    // The generated types do not allow null.
    ...({ subject, reason } as { subject: string; reason: string }),
  })
  if (!error) return done.parse(data)
  const { code, field, fault } = faultOf(kind, error)
  const sentence = inEnglish(fault)
  if (code === 'unknown') throw new UsageError(`The backend refused it: ${error.message}`)
  throw new UsageError(field ? `${optionOf(kind, field)}: ${sentence}` : sentence)
}

function inEnglish(fault: Fault): string {
  const i18n = new I18n('en', null, formatCount)
  return faultWords(fault, { i18n, formats: { count: formatCount, instant: formatInstant } })
}

function optionOf(kind: ActKind, name: string): string {
  return `--${kindOf(kind).fields.find((field) => field.name === name)?.option ?? name}`
}
