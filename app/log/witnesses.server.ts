import * as z from 'zod/mini'
import { integerColumn } from '../platform/server/columns.server.ts'
import type { Config, Witness } from '../platform/server/env.server.ts'
import type { Log } from '../platform/server/log.server.ts'
import { requestOutside } from '../platform/server/outside-response.server.ts'
import { createService, type Service } from '../platform/server/service.server.ts'
import { LogError } from './bytes.ts'
import { parseWitnessKey, readCosignatures } from './cosignature.ts'
import { ledgerLog } from './ledger-log.ts'
import { keepLines } from './note.ts'

/** The timeout for both requests to a witness, in milliseconds. */
const timeout = 3_000
const longestResponse = 64 * 1024
/** The earliest time that the database accepts (private.moment), in seconds. */
const earliest = Date.UTC(2015) / 1000

const proofRow = z.array(z.string())
const dueRows = z.array(
  z.object({
    witness: z.string(),
    size: integerColumn,
    root: z.string(),
    note: z.string(),
    known_size: integerColumn,
    proof: proofRow,
  }),
)
/** The newest checkpoint, and the consistency proof from the size that the witness knows. */
type Due = z.infer<typeof dueRows>[number]

/** The result of a request to a witness, as the database stores it. */
type Answer =
  | { state: 'well'; size: number; root: string; line: string; cosigned_at: string }
  /** The witness knows a larger checkpoint, because another run sent it first. */
  | { state: 'well' }
  | { state: 'fault' | 'configuration' | 'alarm'; fault: string }

/**
 * Sends the newest checkpoint in parallel to each witness that has not cosigned it (C2SP tlog-witness), and
 * stores the witnesses' signature lines. Never throws: a later run tries again after a witness fails. Two
 * runs may overlap.
 */
export async function askWitnesses(config: Config, fetch: typeof globalThis.fetch, log: Log): Promise<void> {
  const { WITNESSES: witnesses, SUPABASE_SECRET_KEY: secret, LOG_KEY: key, LOG_ORIGIN: origin } = config
  if (witnesses.length === 0 || !secret || !key) return
  const service = createService(config.SUPABASE_URL, secret, fetch)
  try {
    const due = await service.call('claim_witnesses', dueRows, {
      log: ledgerLog,
      origin,
      witnesses: witnesses.map(({ vkey, url }) => ({ witness: vkey, url })),
    })
    const report = await Promise.all(
      due.map(async (one) => {
        const witness = witnesses.find(({ vkey }) => vkey === one.witness) as Witness
        const answer = await ask(service, origin, witness, one)
        const given = { log: ledgerLog, origin, witness: one.witness, answer }
        await service.call('record_witness', z.boolean(), given)
        return { name: witness.name, size: one.size, state: answer.state, ...('fault' in answer && answer) }
      }),
    )
    const has = (...states: Answer['state'][]) => report.some(({ state }) => states.includes(state))
    if (report.length > 0)
      log[has('alarm') ? 'error' : has('fault', 'configuration') ? 'warn' : 'info']('witnesses.asked', {
        witnesses: report,
      })
  } catch (error) {
    log.warn('witnesses.stopped', { reason: (error as Error).message })
  }
}

/** Sends one request. If the witness reports a different size, sends one more request, from that size. */
async function ask(service: Service, origin: string, witness: Witness, due: Due): Promise<Answer> {
  const signal = AbortSignal.timeout(timeout)
  // Send only the lines with the log's own name, because a witness may limit the size of a request.
  const note = keepLines(due.note, (line) => line.startsWith(`— ${origin} `))
  try {
    const first = await send(witness, note, due.known_size, due.proof, signal)
    const known = sizeOf(first)
    if (known === null) return await readAnswer(witness, due, first)
    if (known === due.known_size)
      return known === due.size
        ? alarm(`it says that it has cosigned another checkpoint of ${known} entries`)
        : fault('it refused the size that it names')
    const proofOf = z.nullable(z.object({ proof: z.nullable(proofRow) }))
    const given = { log: ledgerLog, origin, known_size: known, size: due.size }
    const signed = await service.call('witness_proof', proofOf, given)
    if (!signed)
      return alarm(
        `it says that it has cosigned ${known} entries, and our archive has no checkpoint of this size`,
      )
    if (!signed.proof) return { state: 'well' }
    const second = await send(witness, note, known, signed.proof, signal)
    return sizeOf(second) === null
      ? await readAnswer(witness, due, second)
      : fault('it named one size, and then another one')
  } catch (error) {
    // The message of a failed connection may contain an address, so it is not stored.
    return fault(signal.aborted ? 'it did not answer within 3 seconds' : reasonOf(error))
  }
}

const reasonOf = (error: unknown) => (error instanceof LogError ? error.message : 'it could not be reached')
const fault = (text: string): Answer => ({ state: 'fault', fault: text })
const alarm = (text: string): Answer => ({ state: 'alarm', fault: text })

interface Response {
  status: number
  type: string
  text: string
}

/** Sends one add-checkpoint request. Throws if no complete response of at most 64 kB arrives. */
async function send(
  { url }: Witness,
  note: string,
  old: number,
  proof: string[],
  signal: AbortSignal,
): Promise<Response> {
  const body = `old ${old}\n${proof.map((hash) => `${hash}\n`).join('')}\n${note}`
  const response = await requestOutside(
    `${url}/add-checkpoint`,
    { method: 'POST', body, signal },
    longestResponse,
  )
  if (response === 'too-long') throw new LogError('its response has more than 64 kB')
  if (response === 'incomplete') throw new LogError('its response ended early')
  const { status, headers, bytes } = response
  return { status, type: headers.get('Content-Type') ?? '', text: new TextDecoder().decode(bytes) }
}

/** The size in a response with status 409; null for any other response. */
function sizeOf({ status, type, text }: Response): number | null {
  const size = Number(/^(0|[1-9]\d{0,15})\n?$/.exec(text)?.[1] ?? Number.NaN)
  const isSize = status === 409 && /^text\/x\.tlog\.size\b/.test(type) && Number.isSafeInteger(size)
  return isSize ? size : null
}

const configurationFaults: Record<number, string> = {
  400: 'it refused our request (400)',
  403: 'it does not know the key of our log (403)',
  404: 'it does not know our log, or its address is wrong (404)',
}

async function readAnswer(witness: Witness, due: Due, { status, text }: Response): Promise<Answer> {
  if (status === 422) return alarm('it saw another history under our name (422)')
  const wrong = configurationFaults[status]
  if (wrong) return { state: 'configuration', fault: wrong }
  if (status !== 200) return fault(`it answered with the status ${status}`)
  const cosigned = await readLine(witness, due.note, text)
  if (!cosigned) return fault('its response has no line of its key')
  if (cosigned.time < earliest) return fault('the time of its cosignature is wrong')
  const { size, root } = due
  const cosigned_at = new Date(cosigned.time * 1000).toISOString()
  return { state: 'well', size, root, line: cosigned.line, cosigned_at }
}

/**
 * The newest signature line of this witness in a response; null if the response has none. Ignores lines of
 * unknown keys. Throws a LogError for text that is not a list of signature lines, and for a line of this
 * witness with an invalid signature.
 */
async function readLine({ vkey }: Witness, note: string, lines: string) {
  const key = await parseWitnessKey(vkey)
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1)
  const found: { line: string; time: number }[] = []
  for (const line of lines.split(/(?<=\n)/)) {
    const [cosignature] = await readCosignatures(`${text}\n${line}`, [key])
    if (cosignature) found.push({ line, time: cosignature.time })
  }
  return found.sort((one, other) => other.time - one.time)[0] ?? null
}
