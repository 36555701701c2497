/**
 * Checks the ledger in the page of /transparency/verify, and is loaded there alone: fetches the whole chain as a
 * stream, computes every hash with the browser's own cryptography, and verifies the head's signature. It is written
 * from supabase/ledger-format.md; public/verify-ledger.mjs does the same without this site.
 */
import type { Head } from '../ledger/head.server'
import { formatInstant } from '../time'

const fields = [
  ...['seq', 'previous_hash', 'occurred_at', 'type', 'direction', 'amount_usd', 'rate_usd', 'rate_source'],
  ...[
    'token_amount',
    'token_symbol',
    'token_decimals',
    'token_address',
    'from_address',
    'to_address',
    'tx_hash',
  ],
  ...['chain_id', 'ordinal', 'revision', 'pool_slug', 'proof_url', 'note', 'recorded_at'],
]
const columns = [...fields, 'hash'].join()
/** Hashed together: one at a time would wait for each. */
const batchSize = 250
const longestLine = 65_536

type Row = Record<string, string | number | null>
interface Place {
  seq: number
  hash: string
}

/** Something that does not hold. */
class Broken extends Error {}
/** Something that could not be checked. */
class Unchecked extends Error {}

/** The lines of an answer; what no line feed ends is refused, since it may be half a row. */
async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body
    .pipeThrough(new TextDecoderStream('utf-8', { fatal: true, ignoreBOM: true }))
    .getReader()
  let rest = ''
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestLine) break
    yield* lines
  }
  if (rest) throw new Broken('The chain ends in the middle of a row.')
}

/** Goes through the chain in bounded memory. Returns its last place. */
async function checkChain(
  lines: AsyncIterable<string>,
  heads: Head[],
  tell: (rows: number) => void,
): Promise<Place> {
  let last: Place = { seq: 0, hash: '0'.repeat(64) }
  let batch: string[] = []
  const check = async () => {
    const first = last.seq + 1
    const rows = batch.map((line, at) => parseRow(line, first + at))
    const hashes = await Promise.all(rows.map(hashOf))
    for (const [at, row] of rows.entries()) last = checkRow(row, hashes[at] ?? '', last, heads)
    batch = []
    tell(last.seq)
  }
  for await (const line of lines) if (batch.push(line) === batchSize) await check()
  await check()
  return last
}

function parseRow(line: string, seq: number): Row {
  const row = parse(line) as Row | null
  // In one spelling only: nothing that was not hashed can stand in the file for somebody to read.
  const good =
    typeof row === 'object' &&
    row !== null &&
    Object.keys(row).join() === columns &&
    JSON.stringify(row) === line &&
    !/\p{Surrogate}/u.test(Object.values(row).join())
  if (!good) throw new Broken(`Row ${seq} does not hold: it is not written as the ledger writes its rows.`)
  return row
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function checkRow(row: Row, hash: string, last: Place, heads: Head[]): Place {
  const seq = last.seq + 1
  const fail = (why: string) => {
    throw new Broken(`Row ${seq} does not hold: ${why}`)
  }
  if (row.seq !== seq) fail(`its place is ${row.seq}. Rows are missing, inserted or in another order.`)
  if (row.previous_hash !== last.hash) fail('it does not follow the row before it.')
  if (row.hash !== hash) fail('its facts have another hash than it says.')
  for (const head of heads)
    if (head.seq === seq && head.hash !== hash)
      throw new Broken(`Row ${seq} is not the one that ${nameOf(head)} names: history was written anew.`)
  return { seq, hash }
}

/** SHA-256 over a name, a number of octets and a value for each field. */
async function hashOf(row: Row): Promise<string> {
  const encoder = new TextEncoder()
  let text = 'goodblock-ledger-1\n'
  for (const name of fields) {
    const value = row[name] ?? null
    text += value === null ? `${name} -\n` : `${name} ${encoder.encode(`${value}`).length} ${value}\n`
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
  return Array.from(digest, (octet) => octet.toString(16).padStart(2, '0')).join('')
}

/** Throws where a signature does not hold; false where this browser cannot tell. */
async function checkSignature(head: Head): Promise<boolean> {
  const text = `goodblock-head-1\nseq ${head.seq}\nhash ${head.hash}\nsigned_at ${head.signed_at}\n`
  let good = false
  try {
    const key = await crypto.subtle.importKey('raw', octets(head.public_key), 'Ed25519', false, ['verify'])
    good = await crypto.subtle.verify('Ed25519', key, octets(head.signature), new TextEncoder().encode(text))
  } catch (error) {
    if ((error as Error).name === 'NotSupportedError') return false
  }
  if (!good) throw new Broken(`The signature of ${nameOf(head)} does not hold.`)
  return true
}

function octets(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function nameOf({ signed_at }: Head): string {
  return `the head signed on ${formatInstant(new Date(signed_at))}`
}

async function open(path: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(path, { signal, cache: 'no-cache' })
  if (!response.ok && response.status !== 404) throw new Unchecked('The ledger cannot be read right now.')
  return response
}

async function readKept(file: File | undefined): Promise<Head | null> {
  if (!file) return null
  const head = parse(await file.text()) as Head | null
  if (head?.format !== 'goodblock-head-1' || !Number.isSafeInteger(head.seq) || head.seq < 1)
    throw new Unchecked(`${file.name} is not a signed head.`)
  return head
}

/** Everything at once; what it found, in words. */
async function checkLedger(
  kept: File | undefined,
  signal: AbortSignal,
  tell: (rows: number, of?: number) => void,
): Promise<string> {
  const older = await readKept(kept)
  // The head first: the chain is then at least as long.
  const answer = await open('/transparency/head.json', signal)
  const latest = answer.ok ? ((await answer.json()) as Head) : null
  const heads = [latest, older].filter((head) => head !== null)
  let signaturesChecked = true
  for (const head of heads) signaturesChecked = (await checkSignature(head)) && signaturesChecked
  tell(0, latest?.seq)

  const { ok, body } = await open('/transparency/chain.ndjson', signal)
  if (!ok || !body) throw new Unchecked('The ledger cannot be read right now.')
  const last = await checkChain(linesOf(body), heads, (rows) => tell(rows, latest?.seq))
  for (const head of heads)
    if (head.seq > last.seq)
      throw new Broken(
        `The chain ends at row ${last.seq}, but ${nameOf(head)} names row ${head.seq}: rows were cut off.`,
      )
  if (last.seq === 0) return 'The ledger has no rows yet, so there is nothing to check.'
  return [
    `It holds: ${counted(last.seq)}, each with the hash of its facts and of the row before it.`,
    latest && `Row ${latest.seq} was signed on ${formatInstant(new Date(latest.signed_at))}.`,
    !latest && 'No head has been signed yet.',
    latest && latest.seq < last.seq && `Not signed yet: ${counted(last.seq - latest.seq)} after it.`,
    older && `Nothing up to row ${older.seq} was changed since ${nameOf(older)}, which you kept.`,
    older &&
      latest &&
      older.public_key !== latest.public_key &&
      'The two were signed with different keys: ask why.',
    !signaturesChecked && 'This browser cannot check Ed25519 signatures: the program below can.',
  ]
    .filter(Boolean)
    .join(' ')
}

function counted(rows: number): string {
  return rows === 1 ? '1 row' : `${rows.toLocaleString('en-US')} rows`
}

/** Puts the controls in the place that the page keeps for them. */
function setUp(place: HTMLElement): void {
  const make = <Name extends keyof HTMLElementTagNameMap>(name: Name, className = '', text = '') => {
    const element = document.createElement(name)
    element.className = className
    element.textContent = text
    return element
  }
  const label = make('label', 'font-semibold', 'A head that you kept (optional)')
  const file = make('input', 'field mt-2')
  file.type = 'file'
  file.accept = '.json,application/json'
  file.id = 'kept-head'
  label.htmlFor = file.id
  const hint = make('p', 'mt-2 text-muted', 'It is read here and goes nowhere.')
  hint.id = 'kept-head-hint'
  file.setAttribute('aria-describedby', hint.id)
  const button = make('button', 'button button-gold mt-6')
  button.type = 'button'
  const progress = make('progress', 'progress mt-6')
  progress.setAttribute('aria-label', 'Rows checked')
  const count = make('p', 'figures mt-2 text-muted')
  const result = make('p')
  result.setAttribute('role', 'status')

  let running: AbortController | null = null
  const show = () => {
    button.textContent = running ? 'Cancel' : 'Check the whole chain'
    for (const element of [progress, count]) element.hidden = !running
    file.disabled = running !== null
  }
  const say = (text: string, colours = '') => {
    result.className = text && `mt-6 rounded-block border-l-4 p-4 wrap-anywhere ${colours}`
    result.textContent = text
  }

  const check = async (controller: AbortController) => {
    say('')
    progress.removeAttribute('value')
    count.textContent = ''
    try {
      const found = await checkLedger(file.files?.[0], controller.signal, (rows, of) => {
        if (of) {
          progress.max = of
          progress.value = Math.min(rows, of)
        }
        count.textContent = `${counted(rows)} checked`
      })
      say(found, 'border-good bg-good-wash')
    } catch (error) {
      if (controller.signal.aborted)
        say('Cancelled. Nothing was found either way.', 'border-edge bg-plain-wash')
      else if (error instanceof Broken) say(error.message, 'border-bad bg-bad-wash')
      else
        say(
          error instanceof Unchecked
            ? error.message
            : 'The check could not be finished: the connection broke off.',
          'border-edge bg-plain-wash',
        )
    }
    // Whatever ended it, nothing is to be fetched any further.
    controller.abort()
  }
  button.addEventListener('click', async () => {
    if (running) return running.abort()
    running = new AbortController()
    show()
    await check(running)
    running = null
    show()
  })
  show()
  place.replaceChildren(label, file, hint, button, progress, count, result)
}

const place = document.querySelector<HTMLElement>('[data-check-ledger]')
// Hashing is for secure origins alone: elsewhere what the page says without script stays.
if (place && isSecureContext) setUp(place)
