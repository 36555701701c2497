#!/usr/bin/env node
/**
 * Checks the ledger's hash chain and its signed heads. It needs Node 18 or later and nothing else, and shares no
 * code with the site. What it checks is specified in supabase/ledger-format.md of the site's source.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { createReadStream, readFileSync, realpathSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const help = `Checks that a ledger is whole and unchanged.

  node verify-ledger.mjs CHAIN [HEAD] [--since OLDER]... [--key KEY]...

  CHAIN          the exported chain (chain.ndjson); - reads standard input
  HEAD           the latest signed head (head.json)
  --since OLDER  a head that you kept, or an archive of heads (heads.ndjson). The row that it names must still
                 be in the chain, with the same hash: finds rows cut off the end and history written anew.
  --key KEY      the public key that every head must be signed with, in base64. More than one is allowed.
                 Without it a head is checked with the key that it brings along.
  --help         this text

Get the head first, then the chain:

  curl -O SITE/transparency/head.json
  curl -O SITE/transparency/chain.ndjson
  node verify-ledger.mjs chain.ndjson head.json

Keep head.json. Next time, fetch both again and add: --since the-head-you-kept.json

Exit status: 0 everything holds, 1 something does not, 2 it could not be checked.
`

/** The fields of a row in the order in which they are hashed, and how each is written in the export. */
const fields = {
  seq: 'integer',
  previous_hash: 'text',
  occurred_at: 'text',
  type: 'text',
  direction: 'text',
  amount_usd: 'text',
  rate_usd: 'text',
  rate_source: 'text',
  token_amount: 'text',
  token_symbol: 'text',
  token_decimals: 'integer',
  token_address: 'text',
  from_address: 'text',
  to_address: 'text',
  tx_hash: 'text',
  chain_id: 'integer',
  ordinal: 'integer',
  revision: 'integer',
  pool_slug: 'text',
  proof_url: 'text',
  note: 'text',
  recorded_at: 'text',
}
const columns = [...Object.keys(fields), 'hash'].join()
const genesis = '0'.repeat(64)
const longestLine = 65_536
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Something that does not hold: exit status 1. */
class Broken extends Error {}
/** Something that could not be checked: exit status 2. */
class Unchecked extends Error {}

async function main(parameters) {
  const { chain, head, since, keys } = readParameters(parameters)
  const latest = head ? readHeads(head) : []
  const older = since.flatMap(readHeads)
  const heads = [...latest, ...older]
  for (const one of heads) checkSignature(one, keys)

  const wanted = new Map()
  for (const one of heads) wanted.set(one.seq, [...(wanted.get(one.seq) ?? []), one])
  const last = await checkChain(chain, wanted)

  const missing = heads.find(({ seq }) => seq > last.seq)
  if (missing)
    throw new Broken(
      `The chain ends at row ${last.seq}, but ${titleOf(missing)} names row ${missing.seq}.\n` +
        'Rows were cut off, or this chain is older than the head: then fetch the head first and the chain after it.',
    )
  report(last, latest.at(-1), older, keys)
}

function readParameters(parameters) {
  const files = []
  const since = []
  const keys = []
  for (let at = 0; at < parameters.length; at++) {
    const parameter = parameters[at]
    if (parameter === '--since' || parameter === '--key') {
      const value = parameters[++at]
      if (value === undefined) throw new Unchecked(`${parameter} needs a value. --help tells more.`)
      ;(parameter === '--since' ? since : keys).push(value)
    } else if (parameter.startsWith('--')) {
      throw new Unchecked(`${parameter} is not known. --help tells what is.`)
    } else files.push(parameter)
  }
  if (files.length < 1 || files.length > 2)
    throw new Unchecked('Name the chain, and the head where you have it. --help tells more.')
  for (const key of keys)
    if (Buffer.from(key, 'base64').length !== 32)
      throw new Unchecked(`${key} is not a public key of 32 octets.`)
  return { chain: files[0], head: files[1], since, keys }
}

/** The heads of a file: one JSON object, or one on each line. */
function readHeads(file) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Unchecked(`${file} cannot be read: ${error.message}`)
  }
  const whole = parse(text)
  const found = whole ? [whole] : text.split('\n').filter(Boolean).map(parse)
  const isHead = (head) =>
    head?.format === 'goodblock-head-1' &&
    Number.isSafeInteger(head.seq) &&
    head.seq > 0 &&
    ['hash', 'signed_at', 'public_key', 'signature'].every((name) => typeof head[name] === 'string')
  if (found.length === 0 || !found.every(isHead))
    throw new Unchecked(`${file} is not a signed head, nor an archive of them.`)
  return found.map((head) => ({ ...head, file }))
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function titleOf({ file, signed_at }) {
  return `the head signed at ${signed_at} (${file})`
}

function checkSignature(head, keys) {
  if (keys.length > 0 && !keys.includes(head.public_key))
    throw new Broken(`The key of ${titleOf(head)} is ${head.public_key}, which --key does not name.`)
  const text = `goodblock-head-1\nseq ${head.seq}\nhash ${head.hash}\nsigned_at ${head.signed_at}\n`
  let good = false
  try {
    // The fixed beginning of an Ed25519 key in DER, then its 32 octets.
    const der = Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(head.public_key, 'base64'),
    ])
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    good = verify(null, Buffer.from(text), key, Buffer.from(head.signature, 'base64'))
  } catch {
    // What is no key or no signature is no good one.
  }
  if (!good) throw new Broken(`The signature of ${titleOf(head)} does not hold.`)
}

/** Goes through the chain row by row, in bounded memory. Returns the place and hash of the last row. */
async function checkChain(file, wanted) {
  let last = { seq: 0, hash: genesis }
  for await (const line of linesOf(octetsOf(file))) {
    last = checkRow(line, last)
    for (const head of wanted.get(last.seq) ?? [])
      if (head.hash !== last.hash)
        throw new Broken(
          `Row ${last.seq} is not the one that ${titleOf(head)} names: history was written anew.\n` +
            `Its hash is ${last.hash},\nthe head says ${head.hash}.`,
        )
    if (last.seq % 10_000 === 0 && process.stderr.isTTY) process.stderr.write(`\r${last.seq} rows `)
  }
  if (process.stderr.isTTY) process.stderr.write('\r')
  return last
}

/** What a file holds, piece by piece. */
async function* octetsOf(file) {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file)
  } catch (error) {
    throw new Unchecked(`${file} cannot be read: ${error.message}`)
  }
}

/** The lines of a text that comes in pieces, as octets, without their line feeds. */
export async function* linesOf(octets) {
  let rest = Buffer.alloc(0)
  for await (const piece of octets) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
    let from = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      yield bytes.subarray(from, end)
      from = end + 1
    }
    rest = bytes.subarray(from)
    if (rest.length > longestLine) break
  }
  // What no line feed ends is half a row: it is handed on, and refused as one.
  if (rest.length > 0) yield Buffer.concat([rest, Buffer.from('\n')])
}

/** Throws unless the line is the row that follows `former`. */
export function checkRow(line, former) {
  const seq = former.seq + 1
  const fail = (why) => {
    throw new Broken(`Row ${seq} does not hold: ${why}`)
  }
  const row = parseRow(line, fail)
  if (row.seq !== seq) fail(`its place is ${row.seq}. Rows are missing, inserted or in another order.`)
  if (row.previous_hash !== former.hash)
    fail(`it follows a row with the hash\n${row.previous_hash},\nthe one before it here has\n${former.hash}.`)
  const hash = createHash('sha256').update(canonical(row)).digest('hex')
  if (row.hash !== hash) fail(`it says that its hash is\n${row.hash},\nits facts have\n${hash}.`)
  return { seq, hash }
}

function parseRow(line, fail) {
  let text = ''
  try {
    text = utf8.decode(line)
  } catch {
    fail('it is not text in UTF-8.')
  }
  const row = parse(text)
  if (typeof row !== 'object' || row === null || text.endsWith('\n'))
    fail('it is not a JSON object on a line of its own.')
  if (Object.keys(row).join() !== columns) fail(`its columns are not ${columns}.`)
  // So that nobody reads in the file what was not hashed: a name that stands twice, another spelling of a number.
  if (JSON.stringify(row) !== text) fail('it is not spelled as the export spells it.')
  for (const [name, kind] of Object.entries(fields)) {
    const value = row[name]
    const good =
      value === null ||
      (kind === 'integer'
        ? Number.isSafeInteger(value)
        : typeof value === 'string' && !/\p{Surrogate}/u.test(value))
    if (!good) fail(`${name} is not ${kind}.`)
  }
  return row
}

/** The octets that are hashed: a name, how many octets follow, and the value, so that no two rows read the same. */
function canonical(row) {
  let text = 'goodblock-ledger-1\n'
  for (const name in fields) {
    const value = row[name]
    text += value === null ? `${name} -\n` : `${name} ${Buffer.byteLength(String(value))} ${value}\n`
  }
  return text
}

function count(rows) {
  return rows === 1 ? '1 row' : `${rows} rows`
}

function report(last, head, older, keys) {
  const lines = [
    `The chain holds: ${count(last.seq)}, each with the hash of its facts and of the row before it.`,
  ]
  lines.push(`Its end is ${last.hash}.`)
  if (head) {
    lines.push(`The head holds: row ${head.seq} was signed at ${head.signed_at} by ${head.public_key}.`)
    if (head.seq < last.seq) lines.push(`Not signed yet: ${count(last.seq - head.seq)} after it.`)
  } else lines.push('No head was given: nobody has signed for this end.')
  for (const one of older.length > 3 ? [] : older)
    lines.push(`Nothing up to row ${one.seq} was changed since ${one.signed_at}.`)
  if (older.length > 3) lines.push(`All ${older.length} older heads are part of this chain.`)
  if (older.length === 0)
    lines.push('To find out later whether history was written anew, keep this head for --since.')
  if (keys.length === 0 && (head || older.length > 0)) {
    const known = new Set([head, ...older].filter(Boolean).map((one) => one.public_key))
    lines.push(
      known.size > 1
        ? `These heads were signed with ${known.size} different keys: ask why, and name those you trust with --key.`
        : 'The key came with the head. Compare it with one that you got elsewhere, and name that with --key.',
    )
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function run(parameters) {
  if (parameters.includes('--help')) return process.stdout.write(help)
  try {
    await main(parameters)
  } catch (error) {
    const known = error instanceof Broken || error instanceof Unchecked
    process.stderr.write(`${known ? error.message : error.stack}\n`)
    process.exitCode = error instanceof Broken ? 1 : 2
  }
}

// Imported, it does nothing by itself.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  run(process.argv.slice(2))
