import { areEqual, type Bytes, decodeBase64, encodeBase64, LogError } from '../app/log/bytes.ts'
import { type Checkpoint, openCheckpoint, parseCheckpoint } from '../app/log/checkpoint.ts'
import { cosign } from '../app/log/cosignature.ts'
import { treeHash, verifyConsistency } from '../app/log/merkle.ts'
import { keepLines, parseNote, type SigningKey, type VerifierKey } from '../app/log/note.ts'
import { tilePath, tileWidth } from '../app/log/tile.ts'
import { consistencyProof, type ReadTiles, rootHash } from '../app/log/tree.ts'
import type { Known, WitnessStore } from './witness-store.ts'

/** A log with its verifier key and the URL of its tiles. A log without a URL is not watched. */
export interface WatchedLog {
  key: VerifierKey
  url: string | null
}

/** The response to an add-checkpoint request (C2SP tlog-witness): its status and its body. */
interface Answer {
  status: number
  text: string
  /** True if the body is a size. */
  isSize?: true
}

interface Request {
  old: number
  proof: Bytes[]
  note: string
}

/** The time limit for each response from a log, in milliseconds. */
const timeout = 20_000
const longestResponse = 64 * 1024
/** Maximum number of requests for one log from one client in a second. */
const mostRequests = 50
/** The time between two lines about refused checkpoints of one log, in milliseconds. */
const silence = 60_000

/** Checks checkpoints, and cosigns one that extends its log's last. `print`: lines for the operator. */
export class Witness {
  readonly #logs: WatchedLog[]
  readonly #store: WitnessStore
  readonly #key: SigningKey
  readonly #print: (line: string) => void
  /** The number of requests by log and client in the second `#second`. */
  readonly #requests = new Map<string, number>()
  #second = 0
  /** The time of the last line about a refused checkpoint, by log. */
  readonly #refusedAt = new Map<string, number>()

  constructor(logs: WatchedLog[], store: WitnessStore, key: SigningKey, print: (line: string) => void) {
    this.#logs = logs
    this.#store = store
    this.#key = key
    this.#print = (line) => print(escaped(line))
  }

  /** Returns the response to the body of an add-checkpoint request from a client. */
  async addCheckpoint(body: string, client = ''): Promise<Answer> {
    const request = parseRequest(body)
    if (!request) return { status: 400, text: 'This is not an add-checkpoint request.\n' }
    const { old, proof, note } = request
    const { origin } = parseCheckpoint(parseNote(note).text)
    const log = this.#logs.find(({ key }) => key.name === origin)
    if (!log) return { status: 404, text: 'This log is unknown.\n' }
    if (this.#isTooOften(`${origin} ${client}`))
      return { status: 429, text: 'Too many requests for this log. Try again in a second.\n' }
    const checkpoint = await openCheckpoint(note, [log.key], origin).catch(onlyLogError)
    if (!checkpoint) return { status: 403, text: 'The key of this log has not signed the checkpoint.\n' }
    if (old > checkpoint.size) return { status: 400, text: 'The old size is greater than the checkpoint.\n' }

    const known = this.#store.known(origin)
    const knownSize = known?.size ?? 0
    if (old !== knownSize) return conflict(knownSize)
    const empty = await treeHash([])
    const fromRoot = known ? (decodeBase64(known.root) as Bytes) : empty
    const refusal = {
      status: 422,
      text: 'The checkpoint does not continue the log that this witness has seen.\n',
    }
    if (known && contradicts(known, checkpoint)) {
      this.#reportFork(log.key, known, note)
      return refusal
    }
    const hasRoot = checkpoint.size > 0 || areEqual(checkpoint.root, empty)
    if (!hasRoot || !(await verifyConsistency(old, checkpoint.size, proof, fromRoot, checkpoint.root))) {
      // Anyone can send a signed note with a wrong proof: this says nothing about the log.
      if (Date.now() - (this.#refusedAt.get(origin) ?? 0) >= silence) {
        this.#refusedAt.set(origin, Date.now())
        this.#print(`refused: the proof from ${old} to ${checkpoint.size} entries of ${origin} is wrong`)
      }
      return refusal
    }
    if (!this.#advance(known, checkpoint, note)) return conflict(this.#store.known(origin)?.size ?? 0)
    // The witness signs only after the checkpoint has been written to disk.
    const line = await cosign(this.#key, parseNote(note).text, Math.floor(Date.now() / 1000))
    return { status: 200, text: line }
  }

  /** The newest checkpoint of a log that this witness has checked, with its cosignature; null: none. */
  async cosigned(origin: string): Promise<string | null> {
    const known = this.#store.known(origin)
    if (!known) return null
    return known.note + (await cosign(this.#key, parseNote(known.note).text, Math.floor(Date.now() / 1000)))
  }

  get origins(): string[] {
    return this.#logs.map(({ key }) => key.name)
  }

  /** Reads the checkpoint of each log, and checks with tiles that the log has only grown. Prints faults. */
  async watch(): Promise<void> {
    for (const log of this.#logs)
      await this.#watch(log).catch((error) => {
        const reason =
          error instanceof LogError ? error.message : `it cannot be read (${(error as Error).message})`
        this.#print(`error: ${log.key.name}: ${reason}`)
      })
  }

  async #watch({ key, url }: WatchedLog): Promise<void> {
    if (!url) return
    const note = new TextDecoder().decode(await download(`${url}/checkpoint`))
    const seen = await openCheckpoint(note, [key], key.name)
    const known = this.#store.known(key.name)
    if (known?.size === seen.size && known.root === encodeBase64(seen.root)) return
    if (known && contradicts(known, seen)) return this.#reportFork(key, known, note)
    const kept = known && parseCheckpoint(parseNote(known.note).text)
    const [older, newer] = kept && kept.size > seen.size ? [seen, kept] : [kept, seen]
    const readTiles = tilesOf(url)
    if (!areEqual(await rootHash(newer.size, readTiles), newer.root))
      throw new LogError('Its tiles do not have the root of its checkpoint.')
    if (known && older) {
      // Tiles may be damaged on their way: only a proof that leads to the signed root shows that the log forked.
      const begin = await rootHash(older.size, readTiles)
      const proof = await consistencyProof(older.size, newer.size, readTiles)
      if (!(await verifyConsistency(older.size, newer.size, proof, begin, newer.root)))
        throw new LogError('Its tiles contradict each other.')
      if (!areEqual(begin, older.root))
        return this.#reportFork(key, known, note, evidenceOf(older.size, begin, newer.size, proof))
    }
    // A cache may still have an older checkpoint, which does not replace the newer one.
    if (newer === seen && this.#advance(known, seen, note))
      this.#print(`${key.name}: checked ${seen.size} entries`)
  }

  #advance(known: Known | null, { origin, size, root }: Checkpoint, note: string): boolean {
    // Another request may have stored a newer checkpoint in the meantime.
    if (size === (known?.size ?? 0)) return size === (this.#store.known(origin)?.size ?? 0)
    return this.#store.advance(origin, known?.size ?? 0, { size, root: encodeBase64(root), note })
  }

  /** Keeps and prints two notes that contradict each other, with the log's own signatures only, once. */
  #reportFork(key: VerifierKey, known: Known, seen: string, evidence = ''): void {
    const origin = key.name
    const own = `— ${origin} `
    const [one, other] = [known.note, seen].map((note) => keepLines(note, (line) => line.startsWith(own)))
    if (!one || !other || !this.#store.keepFork(origin, one, other + evidence)) return
    this.#print(
      `error: ${origin} has FORKED. Both notes are signed, and no log can have both. They are kept in the data folder; publish them.\n${one}\n${other}${evidence}`,
    )
  }

  #isTooOften(caller: string): boolean {
    const second = Math.floor(Date.now() / 1000)
    if (second !== this.#second) this.#requests.clear()
    this.#second = second
    const count = (this.#requests.get(caller) ?? 0) + 1
    this.#requests.set(caller, count)
    return count > mostRequests
  }
}

/** True if the checkpoint has the size of the known one and another root. */
function contradicts(known: Known, { size, root }: Checkpoint): boolean {
  return known.size === size && known.root !== encodeBase64(root)
}

/** The proof that the newer checkpoint begins with another tree than the older one, for anyone to check. */
function evidenceOf(older: number, begin: Bytes, newer: number, proof: Bytes[]): string {
  const hashes = proof.map((hash) => `${encodeBase64(hash)}\n`).join('')
  return `\nThe ${newer} entries begin with ${older} entries that have this root, by the proof after it (RFC 6962, 2.1.2):\n${encodeBase64(begin)}\n\n${hashes}`
}

/** Replaces all control and direction characters except line feeds, because a note of another party is printed on a terminal. */
function escaped(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (one) =>
    one === '\n' ? one : `\\u{${one.codePointAt(0)?.toString(16)}}`,
  )
}

const conflict = (size: number): Answer => ({ status: 409, text: `${size}\n`, isSize: true })

function onlyLogError(error: unknown): null {
  if (error instanceof LogError) return null
  throw error
}

/** Reads 'old <size>', up to 63 hashes, an empty line and a checkpoint; null for any other text. */
function parseRequest(body: string): Request | null {
  const end = body.indexOf('\n\n')
  const [first = '', ...hashes] = body.slice(0, Math.max(0, end)).split('\n')
  const old = Number(/^old (0|[1-9]\d{0,15})$/.exec(first)?.[1] ?? Number.NaN)
  const proof = hashes.map(decodeBase64)
  const isProof = (some: (Bytes | null)[]): some is Bytes[] => some.every((hash) => hash?.length === 32)
  if (!Number.isSafeInteger(old) || !isProof(proof) || proof.length > 63) return null
  const note = body.slice(end + 2)
  try {
    parseCheckpoint(parseNote(note).text)
  } catch (error) {
    return onlyLogError(error)
  }
  return { old, proof, note }
}

/** Reads tiles of a log; for a partial tile that is gone, the full tile, which begins with its hashes. */
function tilesOf(url: string): ReadTiles {
  return (tiles) =>
    Promise.all(
      tiles.map(async (tile) => {
        const partial = tile.width < tileWidth && (await download(`${url}/${tilePath(tile)}`, true))
        const bytes = partial || (await download(`${url}/${tilePath({ ...tile, width: tileWidth })}`))
        return bytes.subarray(0, tile.width * 32)
      }),
    )
}

/** Returns the response from a URL as bytes. With `mayBeMissing`, a 404 response yields no bytes. */
async function download(url: string, mayBeMissing = false): Promise<Uint8Array> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeout) })
  if (response.status === 404 && mayBeMissing) return new Uint8Array()
  if (!response.ok) throw new Error(`${url} responded with status ${response.status}`)
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > longestResponse) throw new Error(`${url} has more than 64 kB`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
