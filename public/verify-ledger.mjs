#!/usr/bin/env node
/**
 * Checks a transparency log: one row, the whole export, or that a site's log only grew. It needs Node 18 or later and
 * nothing else, and shares no code with the site. The formats are RFC 6962 (hashes and proofs) and C2SP signed-note,
 * tlog-checkpoint, tlog-tiles and tlog-proof (https://c2sp.org). In the site's source, public/ledger/format.md
 * specifies the entries, and docs/log.md describes the checks.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { createReadStream, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const help = `Checks that a ledger is complete and unchanged.

  node verify-ledger.mjs SITE                           a site by its URL
  node verify-ledger.mjs EXPORT CHECKPOINT --vkey KEY   a whole export (log.ndjson); - reads standard input
  node verify-ledger.mjs --row PROOF --vkey KEY         one row by its proof (<row>.tlog-proof)

A site: the first time, its checkpoint and verifier key are kept in a file. Every later time, the site proves
that its log only grew since then, with a few kilobytes. Do this often: it finds history that was rewritten.

  --remember FILE   where the checkpoint is kept (default: <host>.checkpoint.json in this folder)
  --whole           also download the export and check every entry against the checkpoint

An export: fetch the checkpoint first, then the export.

  curl -fO SITE/transparency/log/checkpoint
  curl -fO SITE/transparency/log/vkey
  curl -fO SITE/transparency/log.ndjson
  node verify-ledger.mjs log.ndjson checkpoint --vkey vkey

  --texts FILE      the published texts (texts.ndjson): each must have the hash that an entry has

With each of them:

  --vkey KEY        the verifier key, or a file that holds it. May be repeated.
  --since OLDER     a checkpoint that you kept, or the archive (checkpoints.ndjson): the log must begin with what
                    it signed. May be repeated. Not with --row, which shows one entry.
  --anchors FILE    the list of anchors (anchors.ndjson). With a site by its URL, it is
                    downloaded.
  --rpc URL         a JSON-RPC endpoint of the blockchain, to look up each anchor
  --anchor-from ADDRESS   the address that every anchor must come from
  --id NUMBER       with --row: the row that the proof must be for
  --help            this text

Exit status: 0 everything is in order, 1 something is wrong, 2 it could not be checked.
`

const longestLine = 65_535
const longestAnswer = 4_000_000
const timeout = 30_000
const tileWidth = 256
/** Anchors that are looked up in one run, newest first. */
const mostAnchors = 20

/** Something is wrong: exit status 1. */
class Broken extends Error {}
/** Something could not be checked: exit status 2. */
class Unchecked extends Error {}

async function main(parameters) {
  const options = readParameters(parameters)
  options.keys = options.vkeys.map(readVerifierKey)
  const lines = options.row
    ? checkRow(options)
    : isUrl(options.subject)
      ? await checkSite(options)
      : await checkFile(options)
  process.stdout.write(`${lines.filter(Boolean).join('\n')}\n`)
}

function readParameters(parameters) {
  const options = { files: [], vkeys: [], since: [], whole: false }
  const lists = { '--vkey': 'vkeys', '--since': 'since' }
  const single = {
    '--row': 'row',
    '--id': 'id',
    '--remember': 'remember',
    '--texts': 'texts',
    '--anchors': 'anchors',
    '--rpc': 'rpc',
    '--anchor-from': 'anchorFrom',
  }
  for (let at = 0; at < parameters.length; at++) {
    const name = parameters[at]
    if (name === '--whole') options.whole = true
    else if (name in lists || name in single) {
      const value = parameters[++at]
      if (value === undefined) throw new Unchecked(`${name} needs a value. See --help.`)
      if (name in lists) options[lists[name]].push(value)
      else options[single[name]] = value
    } else if (name.startsWith('--')) throw new Unchecked(`Unknown option ${name}. See --help.`)
    else options.files.push(name)
  }
  const [subject, checkpoint] = options.files
  const wanted = options.row ? 0 : isUrl(subject) ? 1 : 2
  if (options.files.length !== wanted)
    throw new Unchecked('Give a site, or an export and its checkpoint, or --row and a proof. See --help.')
  if (wanted !== 1 && options.vkeys.length === 0)
    throw new Unchecked('Give the verifier key with --vkey. Without it, we cannot check the signature.')
  if (options.row && options.since.length > 0)
    throw new Unchecked('A proof of one row says nothing about growth: check the site by its URL.')
  return { ...options, subject, checkpoint }
}

const isUrl = (text) => /^https?:\/\//.test(text ?? '')

// One row ---------------------------------------------------------------------------------------------------

/** Checks a tlog-proof, whose `extra` line contains the entry. */
function checkRow({ row, id, keys }) {
  const text = readText(row)
  const end = text.indexOf('\n\n')
  const [header, extra = '', index = '', ...path] = text.slice(0, Math.max(end, 0)).split('\n')
  const entry = decodeBase64(extra.replace(/^extra /, ''))
  const place = /^index (0|[1-9]\d{0,15})$/.exec(index)?.[1]
  if (header !== 'c2sp.org/tlog-proof@v1' || !extra.startsWith('extra ') || !entry || place === undefined)
    throw new Unchecked(`${row} is not a proof of a row.`)
  const checkpoint = openCheckpoint(text.slice(end + 2), keys, row)
  const hashes = path.map((hash) => decodeBase64(hash))
  if (!hashes.every((hash) => hash?.length === 32)) throw new Broken(`A hash in ${row} is malformed.`)
  const facts = parseEntry(entry, `The entry in ${row}`)
  if (!verifyInclusion(leafHash(entry), Number(place), checkpoint.size, hashes, checkpoint.root))
    throw new Broken(`The entry in ${row} is not at place ${place} of the log that was signed.`)
  if (id !== undefined && !(facts.kind === 'transaction' && `${facts.id}` === id))
    throw new Broken(`The proof is for another entry (${facts.kind} ${facts.id}), not for row ${id}.`)
  return [
    `The row is in the log: entry ${place} of the ${checkpoint.size} that ${checkpoint.signer} has signed.`,
    ...Object.entries(facts).map(([name, value]) => `  ${name}: ${value === null ? '-' : value}`),
    'This does not prove that the payment took place: look up its transaction on the blockchain.',
  ]
}

// A whole export --------------------------------------------------------------------------------------------

async function checkFile({ subject, checkpoint, keys, since, texts, anchors, rpc, anchorFrom }) {
  const [latest, ...more] = readCheckpoints(checkpoint, keys)
  if (more.length > 0) throw new Unchecked(`${checkpoint} has several checkpoints: name the latest alone.`)
  const older = since.flatMap((file) => readCheckpoints(file, keys))
  const anchored = await readAnchors(anchors && readText(anchors), latest.origin, rpc, anchorFrom)
  const published = texts ? readTexts(texts) : null
  const found = await checkExport(octetsOf(subject), latest, [...older, ...anchored.checkpoints], published)
  return reportExport(found, latest, older, anchored, published)
}

function reportExport(size, latest, older, anchored, published) {
  return [
    `OK: ${count(latest.size)} checked. They match the root that ${latest.signer} signed.`,
    size > latest.size && `Not signed yet: ${count(size - latest.size)} after them.`,
    ...(older.length > 3 ? [] : older).map((one) => `It begins with the ${count(one.size)} of ${one.title}.`),
    older.length > 3 && `It agrees with all ${older.length} older checkpoints.`,
    older.length === 0 &&
      'Keep this checkpoint. Next time, pass it with --since to see if anything was rewritten.',
    ...anchored.lines,
    published && reportTexts(published),
  ]
}

/**
 * Reads an export in bounded memory and compares its root with each checkpoint, at the checkpoint's size. Returns the
 * number of entries. Throws Broken if an entry is malformed or if the export and a checkpoint differ, and Unchecked if
 * the export is empty. `published` is a map of texts by hash, or null: the texts whose hash an entry has are marked
 * with `isInLog`.
 */
export async function checkExport(octets, latest, others = [], published = null) {
  const wanted = new Map()
  for (const one of [...others, latest]) wanted.set(one.size, [...(wanted.get(one.size) ?? []), one])
  const tree = new GrowingTree()
  let agreed = 0
  const compare = () => {
    for (const one of wanted.get(tree.size) ?? [])
      if (!tree.root().equals(one.root))
        throw new Broken(
          `The first ${count(tree.size)} of this export are not those of ${one.title}.\n` +
            `Something was changed, added, removed or moved ${agreed ? `after the first ${agreed}` : 'in them'}.`,
        )
    if (wanted.has(tree.size)) agreed = tree.size
  }
  compare()
  for await (const line of linesOf(octets)) {
    const facts = parseEntry(line, `Entry ${tree.size}`)
    if (published)
      for (const [name, hash] of Object.entries(facts))
        if (name.endsWith('_hash') && published.has(hash)) published.get(hash).isInLog = true
    tree.append(line)
    compare()
    if (tree.size % 10_000 === 0 && process.stderr.isTTY) process.stderr.write(`\r${tree.size} entries `)
  }
  if (process.stderr.isTTY) process.stderr.write('\r')
  if (tree.size === 0) throw new Unchecked('The export is empty, so there is nothing to check.')
  const missing = [latest, ...others].find((one) => one.size > tree.size)
  if (missing)
    throw new Broken(
      `The export ends after ${count(tree.size)}, but ${missing.title} has ${missing.size}.\n` +
        'Entries are missing, or your export is older than the checkpoint. Download the checkpoint first, then the export.',
    )
  return tree.size
}

/**
 * The lines of a text that is read in pieces, as bytes, without their line feeds. Throws Broken if a line is longer
 * than an entry may be or the last line has no line feed.
 */
export async function* linesOf(octets) {
  let rest = Buffer.alloc(0)
  for await (const piece of octets) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : Buffer.from(piece)
    let from = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      checkLength(end - from)
      yield bytes.subarray(from, end)
      from = end + 1
    }
    rest = bytes.subarray(from)
    checkLength(rest.length)
  }
  if (rest.length > 0) throw new Broken('The export stopped halfway through an entry.')
}

function checkLength(octets) {
  if (octets > longestLine) throw new Broken('A line of the export is longer than an entry may be.')
}

/**
 * The members of an entry. Throws Broken unless the entry is spelled as JSON.stringify spells it: two JSON parsers
 * could otherwise read different values.
 */
function parseEntry(octets, title) {
  let text = ''
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets)
  } catch {
    throw new Broken(`${title} is not text in UTF-8.`)
  }
  const facts = parseJson(text)
  if (typeof facts !== 'object' || facts === null || Array.isArray(facts))
    throw new Broken(`${title} is not a JSON object.`)
  if (JSON.stringify(facts) !== text) throw new Broken(`${title} is not written as JSON.stringify writes it.`)
  return facts
}

/** The texts by hash. An entry contains only the hash of a salt and the text, so that a text can be withdrawn. */
function readTexts(file) {
  const texts = new Map()
  for (const line of readText(file).split('\n').filter(Boolean)) {
    const { hash, salt, text, reason } = parseJson(line) ?? {}
    if (typeof hash !== 'string') throw new Unchecked(`${file} is not a list of published texts.`)
    const isWithdrawn = text === null
    if (isWithdrawn && !reason) throw new Broken(`The text ${hash} was withdrawn without a reason.`)
    if (
      !isWithdrawn &&
      sha256(Buffer.from(`${salt}`, 'hex'), Buffer.from(`${text}`)).toString('hex') !== hash
    )
      throw new Broken(`The text with the hash ${hash} is not the one that was recorded:\n${text}`)
    texts.set(hash, { isWithdrawn, isInLog: false })
  }
  return texts
}

function reportTexts(published) {
  const texts = [...published.values()]
  const foreign = texts.filter(({ isInLog }) => !isInLog).length
  if (foreign > 0) throw new Broken(`${foreign} of the published texts belong to no entry of the log.`)
  const withdrawn = texts.filter(({ isWithdrawn }) => isWithdrawn).length
  return `The texts are those that were recorded: ${texts.length - withdrawn}, and ${withdrawn} withdrawn.`
}

// A site by its URL -----------------------------------------------------------------------------------------

async function checkSite({ subject, keys, since, remember, whole, anchors, rpc, anchorFrom }) {
  const site = subject.replace(/\/+$/, '').replace(/\/transparency(\/.*)?$/, '')
  const prefix = `${site}/transparency/log`
  const file = remember ?? `${new URL(site).host.replace(/[^\w.-]/g, '_')}.checkpoint.json`
  const kept = readKept(file)
  const trusted = keys.length > 0 ? keys : [readVerifierKey(kept?.vkey ?? (await download(`${prefix}/vkey`)))]
  const isFirst = keys.length === 0 && !kept
  const before = kept ? [openCheckpoint(kept.note, trusted, file)] : []
  const older = [...before, ...since.flatMap((one) => readCheckpoints(one, trusted))]

  const note = await download(`${prefix}/checkpoint`)
  const latest = openCheckpoint(note, trusted, `${prefix}/checkpoint`)
  if (latest.size === 0) throw new Unchecked('The log is empty, so there is nothing to check.')
  const readTile = tileReader(prefix, latest.size)
  if (!(await rootOf(latest.size, readTile)).equals(latest.root))
    throw new Broken('The tiles of the site do not have the root of its checkpoint.')
  for (const one of older) await checkGrowth(one, latest, readTile)
  const list = anchors ? readText(anchors) : await download(`${prefix}/anchors.ndjson`, true)
  const anchored = await readAnchors(list ?? '', latest.origin, rpc, anchorFrom)
  for (const one of anchored.checkpoints) await checkGrowth(one, latest, readTile)
  if (whole) await checkExport(bodyOf(`${site}/transparency/log.ndjson`), latest, older)

  const vkey = trusted.find(({ name }) => name === latest.signer)?.vkey
  writeFileSync(`${file}.new`, `${JSON.stringify({ prefix, vkey, note })}\n`)
  renameSync(`${file}.new`, file)
  return [
    `The log has ${count(latest.size)}, signed by ${latest.signer}.`,
    ...older.map((one) => `It begins with the ${count(one.size)} of ${one.title}.`),
    whole && 'Every entry of the export is in it.',
    ...anchored.lines,
    isFirst && `The key came from the site. Compare it with a copy from someone you trust.\n  ${vkey}`,
    `We saved the checkpoint in ${file}. Run this again later to see if anything was rewritten.`,
  ]
}

function readKept(file) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw new Unchecked(`${file} cannot be read: ${error.message}`)
  }
  const kept = parseJson(text)
  if (typeof kept?.note !== 'string' || typeof kept.vkey !== 'string')
    throw new Unchecked(`${file} is not a checkpoint that this program saved.`)
  return kept
}

/** Throws Broken unless the tiles prove that the log of `latest` begins with the log of `older`. */
async function checkGrowth(older, latest, readTile) {
  if (older.origin !== latest.origin)
    throw new Broken(`${older.title} belongs to another log: ${older.origin}, not ${latest.origin}.`)
  if (older.size > latest.size)
    throw new Broken(
      `The log has shrunk: ${older.title} has ${count(older.size)}, now it has ${latest.size}.`,
    )
  const path = await Promise.all(consistencyRanges(older.size, 0, latest.size, true).map(hashRange(readTile)))
  if (!verifyConsistency(older.size, latest.size, path, older.root, latest.root))
    throw new Broken(
      `History was rewritten: the log does not begin with the ${count(older.size)} of ${older.title}.\n` +
        'Keep both checkpoints: together they prove that two histories were signed.\n\n' +
        `${older.note}\n${latest.note}`,
    )
}

/**
 * Reads each tile once. If a partial tile no longer exists, reads the full tile, which begins with it (tlog-tiles,
 * 'Partial Tiles').
 */
function tileReader(prefix, size) {
  const tiles = new Map()
  return (level, index) => {
    const width = Math.min(tileWidth, Math.floor(size / tileWidth ** level) - index * tileWidth)
    const path = `tile/${level}/${pathOf(index)}`
    const read = async () => {
      const partial = width < tileWidth && (await download(`${prefix}/${path}.p/${width}`, true, true))
      const octets = partial || (await download(`${prefix}/${path}`, false, true))
      if (octets.length < width * 32 || octets.length % 32 !== 0)
        throw new Broken(`${path} is truncated: it has ${octets.length} octets, not ${width * 32}.`)
      return octets.subarray(0, width * 32)
    }
    if (!tiles.has(path)) tiles.set(path, read())
    return tiles.get(path)
  }
}

function pathOf(index) {
  const digits = `${index}`.padStart(3 * Math.ceil(`${index}`.length / 3), '0')
  return digits.replace(/\d{3}(?=\d)/g, 'x$&/')
}

/**
 * The text of a URL, or its bytes if `isBinary`. Returns null for status 404 if `mayBeMissing`. Throws Unchecked for
 * any other fault.
 */
async function download(url, mayBeMissing = false, isBinary = false) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeout) })
    if (response.status === 404 && mayBeMissing) return null
    if (!response.ok) throw new Unchecked(`${url} responded with status ${response.status}.`)
    const octets = await collect(response.body, url)
    return isBinary ? octets : octets.toString()
  } catch (error) {
    if (error instanceof Unchecked) throw error
    throw new Unchecked(`${url} cannot be read: ${error.cause?.message ?? error.message}`)
  }
}

async function collect(body, url) {
  const pieces = []
  let length = 0
  for await (const piece of body ?? []) {
    length += piece.length
    if (length > longestAnswer) throw new Unchecked(`${url} sent too much.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

async function* bodyOf(url) {
  try {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`status ${response.status}`)
    yield* response.body
  } catch (error) {
    throw new Unchecked(`${url} cannot be read: ${error.message}`)
  }
}

// Anchors ---------------------------------------------------------------------------------------------------

/**
 * Looks up the newest anchors on the chain, if `rpc` is given. An anchor is a transaction whose data is the text of a
 * checkpoint: no one can change the data later, so the anchor proves that the root existed when its block was made.
 */
async function readAnchors(list, origin, rpc, from) {
  const anchors = (list ?? '').split('\n').filter(Boolean).map(parseJson)
  if (anchors.some((anchor) => !/^0x[0-9a-f]{64}$/.test(anchor?.tx_hash)))
    throw new Unchecked('The list of anchors is malformed.')
  if (anchors.length === 0) return { checkpoints: [], lines: [rpc && 'The log has no anchors yet.'] }
  if (!rpc)
    return {
      checkpoints: [],
      lines: [
        `Anchors not looked up: ${anchors.length}. Give --rpc an endpoint to check them on the blockchain.`,
      ],
    }
  const checkpoints = []
  for (const anchor of anchors.slice(-mostAnchors)) {
    const found = await readAnchor(anchor, origin, rpc, from ?? anchor.address)
    if (found) checkpoints.push(found)
  }
  const senders = [...new Set(anchors.map(({ address }) => address))].join(', ')
  return {
    checkpoints,
    lines: [
      `Anchors on the blockchain that match the log: ${checkpoints.length}.`,
      !from && `They come from ${senders}. Compare the address with a copy from someone you trust.`,
    ],
  }
}

async function readAnchor({ tx_hash: hash }, origin, rpc, from) {
  const [transaction, receipt] = [
    await call(rpc, 'eth_getTransactionByHash', [hash]),
    await call(rpc, 'eth_getTransactionReceipt', [hash]),
  ]
  // A transaction that is not in a block yet proves nothing.
  if (!transaction || !receipt) return null
  if (`${transaction.from}`.toLowerCase() !== `${from}`.toLowerCase())
    throw new Broken(`The anchor ${hash} comes from ${transaction.from}, not from ${from}.`)
  if (receipt.status !== '0x1') throw new Broken(`The anchor ${hash} failed on the blockchain.`)
  const text = Buffer.from(`${transaction.input}`.slice(2), 'hex').toString()
  const checkpoint = parseCheckpoint(text, `The anchor ${hash}`)
  if (checkpoint.origin !== origin)
    throw new Broken(`The anchor ${hash} belongs to another log: ${checkpoint.origin}.`)
  return { ...checkpoint, title: `the anchor in block ${Number(receipt.blockNumber)} (${hash})`, note: text }
}

async function call(rpc, method, params) {
  try {
    const response = await fetch(rpc, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeout),
    })
    const answer = parseJson((await collect(response.body, 'The endpoint')).toString())
    if (!answer || !('result' in answer))
      throw new Error(answer?.error?.message ?? `status ${response.status}`)
    return answer.result
  } catch (error) {
    throw new Unchecked(`The endpoint did not respond to ${method}: ${error.cause?.message ?? error.message}`)
  }
}

// Signed notes and checkpoints ------------------------------------------------------------------------------

/** A verifier key (signed-note, 'Verifier keys'), from the parameter or from the file that it names. */
function readVerifierKey(given) {
  const vkey = (/^[^+\s]+\+[0-9a-f]{8}\+/.test(given) ? given : readText(given)).replace(/\n$/, '')
  const [, name, id, text] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(vkey) ?? []
  const octets = text && decodeBase64(text)
  if (octets?.length !== 33 || octets[0] !== 1)
    throw new Unchecked(`${given} is not the verifier key of an Ed25519 key.`)
  const expected = sha256(Buffer.from(`${name}\n`), octets)
    .subarray(0, 4)
    .toString('hex')
  if (id !== expected)
    throw new Unchecked('The key ID of the verifier key does not belong to its name and key.')
  const key = octets.subarray(1)
  if (isWeak(key)) throw new Unchecked('The verifier key is of small order: anyone can sign for it.')
  // The fixed beginning of an Ed25519 key in DER, then its 32 bytes.
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key])
  return { vkey, name, id, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
}

/** True for a point of small order, and for a y coordinate that is not below the field's prime (RFC 8032 §5.1.3). */
function isWeak(key) {
  const y = Buffer.from(key)
  y[31] &= 0x7f
  const hex = y.toString('hex')
  const torsion = [
    '00'.repeat(32),
    `01${'00'.repeat(31)}`,
    `ec${'ff'.repeat(30)}7f`,
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ]
  return torsion.includes(hex) || new RegExp(`^(e[def]|f.)${'ff'.repeat(30)}7f$`).test(hex)
}

/**
 * The checkpoints of a file: a note, a file that this program saved, or an archive with one checkpoint on each line.
 */
function readCheckpoints(file, keys) {
  const text = readText(file)
  if (!text.startsWith('{')) return [openCheckpoint(text, keys, file)]
  const notes = text
    .split('\n')
    .filter(Boolean)
    .map((line) => parseJson(line)?.note)
  if (!notes.every((note) => typeof note === 'string')) throw new Unchecked(`${file} is not a checkpoint.`)
  return notes.map((note) => openCheckpoint(note, keys, file))
}

/** Opens a note (signed-note, 'Format' and 'Signatures') that one of the keys must have signed for its own log. */
function openCheckpoint(note, keys, source) {
  const end = note.lastIndexOf('\n\n')
  const lines = note.slice(end + 2).split('\n')
  const isText = [...note].every(
    (character) => character === '\n' || (character >= ' ' && character !== '\ufffd'),
  )
  if (!isText || end < 0 || lines.pop() !== '' || lines.length === 0 || lines.length > 100)
    throw new Broken(`${source} is not a signed checkpoint.`)
  const text = note.slice(0, end + 1)
  let signer = null
  for (const line of lines) {
    const [, name, base64] = /^— ([^\s+]+) (\S+)$/u.exec(line) ?? []
    const octets = base64 && decodeBase64(base64)
    if (!octets || octets.length < 5)
      throw new Broken(`${source} has something that is not a signature: ${line}`)
    const id = octets.subarray(0, 4).toString('hex')
    const known = keys.find((key) => key.name === name && key.id === id)
    if (!known) continue
    if (!verify(null, Buffer.from(text), known.key, octets.subarray(4)))
      throw new Broken(`The signature of ${name} in ${source} is wrong.`)
    signer ??= name
  }
  if (!signer)
    throw new Broken(`${source} is not signed with the verifier key ${keys.map(({ vkey }) => vkey)}.`)
  const checkpoint = parseCheckpoint(text, source)
  if (checkpoint.origin !== signer)
    throw new Broken(
      `${source} belongs to another log: ${checkpoint.origin}, but the key belongs to ${signer}.`,
    )
  return { ...checkpoint, signer, note, title: `the checkpoint of ${checkpoint.size} (${source})` }
}

/** Origin, size and root (tlog-checkpoint, 'Note text'). */
function parseCheckpoint(text, source) {
  const [, origin, size, base64] = /^(.+)\n(0|[1-9]\d{0,15})\n(\S+)\n(?:.+\n)*$/u.exec(text) ?? []
  const root = base64 && decodeBase64(base64)
  if (root?.length !== 32 || !Number.isSafeInteger(Number(size)))
    throw new Broken(`${source} does not say the size and the root of a log.`)
  return { origin, size: Number(size), root }
}

// Hashes and proofs of RFC 6962 -----------------------------------------------------------------------------

function sha256(...parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const leafHash = (entry) => sha256(Buffer.of(0), entry)
const nodeHash = (left, right) => sha256(Buffer.of(1), left, right)

/** A tree to which entries are appended. It stores only the roots of the complete subtrees. */
class GrowingTree {
  size = 0
  #subtrees = []

  append(entry) {
    let hash = leafHash(entry)
    for (let rest = this.size; rest % 2 === 1; rest = Math.floor(rest / 2))
      hash = nodeHash(this.#subtrees.pop(), hash)
    this.#subtrees.push(hash)
    this.size++
  }

  root() {
    if (this.size === 0) return sha256()
    return this.#subtrees.reduceRight((right, left) => nodeHash(left, right))
  }
}

/** Verifies an inclusion proof (RFC 9162 §2.1.3.2). */
function verifyInclusion(leaf, index, size, path, root) {
  if (index >= size) return false
  let [node, last, hash] = [index, size - 1, leaf]
  for (const sibling of path) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash)
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)]
    } else hash = nodeHash(hash, sibling)
    ;[node, last] = [Math.floor(node / 2), Math.floor(last / 2)]
  }
  return last === 0 && hash.equals(root)
}

/** Verifies a consistency proof (RFC 9162 §2.1.4.2). */
function verifyConsistency(from, to, path, fromRoot, toRoot) {
  if (from === 0) return path.length === 0 && fromRoot.equals(sha256())
  if (from === to) return path.length === 0 && fromRoot.equals(toRoot)
  let [node, last] = [from - 1, to - 1]
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)]
  const [first, ...rest] = node === 0 ? [fromRoot, ...path] : path
  let [older, newer] = [first, first]
  for (const sibling of rest) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      older = nodeHash(sibling, older)
      newer = nodeHash(sibling, newer)
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)]
    } else newer = nodeHash(newer, sibling)
    ;[node, last] = [Math.floor(node / 2), Math.floor(last / 2)]
  }
  return last === 0 && older?.equals(fromRoot) && newer.equals(toRoot)
}

/** The ranges whose tree hashes are a consistency proof (SUBPROOF of RFC 6962 §2.1.2). */
function consistencyRanges(from, begin, end, isKnown) {
  if (from === 0) return []
  if (from === end) return isKnown ? [] : [[begin, end]]
  const middle = begin + 2 ** Math.ceil(Math.log2(end - begin) - 1)
  return from <= middle
    ? [...consistencyRanges(from, begin, middle, isKnown), [middle, end]]
    : [...consistencyRanges(from, middle, end, false), [begin, middle]]
}

/** The tree hash of a range, from the tiles that contain its complete subtrees. */
function hashRange(readTile) {
  return async ([begin, end]) => {
    const hashes = []
    for (let at = begin; at < end; ) {
      let height = 0
      while (at % 2 ** (height + 1) === 0 && at + 2 ** (height + 1) <= end) height++
      hashes.push(await subtreeHash(readTile, height, at / 2 ** height))
      at += 2 ** height
    }
    return hashes.reduceRight((right, left) => nodeHash(left, right))
  }
}

async function subtreeHash(readTile, height, index) {
  const level = Math.floor(height / 8)
  const width = 2 ** (height % 8)
  const first = index * width
  const octets = await readTile(level, Math.floor(first / tileWidth))
  const tree = Array.from({ length: width }, (_, at) => {
    const from = 32 * ((first % tileWidth) + at)
    return octets.subarray(from, from + 32)
  })
  const pair = (hashes) =>
    hashes.length === 1
      ? hashes[0]
      : nodeHash(pair(hashes.slice(0, hashes.length / 2)), pair(hashes.slice(hashes.length / 2)))
  return pair(tree)
}

const rootOf = (size, readTile) => hashRange(readTile)([0, size])

// Files and texts -------------------------------------------------------------------------------------------

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Unchecked(`${file} cannot be read: ${error.message}`)
  }
}

/** The bytes of a file in pieces; '-' is standard input. */
async function* octetsOf(file) {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file)
  } catch (error) {
    throw new Unchecked(`${file} cannot be read: ${error.message}`)
  }
}

/** The bytes of base64 text, or null unless it is in the canonical spelling. */
function decodeBase64(text) {
  const octets = Buffer.from(text, 'base64')
  return octets.toString('base64') === text ? octets : null
}

function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function count(entries) {
  return entries === 1 ? '1 entry' : `${entries} entries`
}

async function run(parameters) {
  if (parameters.includes('--help')) return process.stdout.write(help)
  try {
    await main(parameters)
  } catch (error) {
    const isKnown = error instanceof Broken || error instanceof Unchecked
    process.stderr.write(`${isKnown ? error.message : error.stack}\n`)
    process.exitCode = error instanceof Broken ? 1 : 2
  }
}

// Nothing runs when a test imports this file.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  run(process.argv.slice(2))
