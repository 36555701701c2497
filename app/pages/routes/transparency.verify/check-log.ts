/**
 * The script of /transparency/verify. It downloads every entry of the log as a stream, computes the root with
 * Web Crypto, and compares this root with the signed checkpoint. If the visitor chooses a saved checkpoint,
 * the script also proves from a few tiles that the log has only grown. public/verify-ledger.mjs makes the
 * same checks without this site's code.
 */

import { sayFault } from '~/ledger/fault'
import {
  addCheck,
  linesOf,
  make,
  open,
  openNote,
  type Report,
  readLatest,
  readTile,
  sayNotChecked,
  type Tell,
  Unchecked,
  Wrong,
} from '~/ledger/log-check'
import { areEqual, type Bytes, LogError } from '~/log/bytes'
import type { Checkpoint } from '~/log/checkpoint'
import { type Hash, hashLeaf, treeHash, verifyConsistency } from '~/log/merkle'
import { tileWidth } from '~/log/tile'
import { consistencyProof, type ReadTiles } from '~/log/tree'
import { formatCount, gap, say, sayCount } from '~/platform/locales/say'
import type { checkSentences } from './check-sentences'

/** The maximum number of downloaded entries that no checkpoint covers. An endless download exceeds it. */
const mostUnsigned = 10_000

interface KnownCheckpoint extends Checkpoint {
  /** Whether this is the checkpoint that the visitor saved. */
  isKept: boolean
}

/**
 * The kind of entry that each kind of act makes; null for acts that make no entry. The map does not contain
 * kinds that may be added to the format later.
 */
const madeBy = new Map<unknown, string | null>([
  ...['statement', 'confirmation'].map((act) => [act, 'statement'] as const),
  ...['purpose', 'value', 'reading'].map((act) => [act, 'transaction'] as const),
  ...['update', 'name', 'withdrawal', 'order', 'standing-order', 'split-vote'].map(
    (act) => [act, act] as const,
  ),
  ['stop', 'order'],
  ['take', 'order'],
  ['order-end', 'order'],
  ['suspend', 'standing-order'],
  ...['goal-approval', 'goal-freeze', 'goal-release', 'goal-annulment', 'goal-report'].map(
    (act) => [act, 'goal'] as const,
  ),
  ...[
    'operator',
    'operator-end',
    'goal-return',
    'goal-rejection',
    'complaint-dismissal',
    'goal-update',
    'redraw',
    'schedule-move',
    'stop-reason',
    'mistake-note',
    'holder',
    'contact',
    'arrival-print',
    'answer-words',
    'answer-rejection',
  ].map((act) => [act, null] as const),
])

interface Facts {
  kind?: unknown
  id?: unknown
  act?: unknown
  made?: Facts | null
}

const actStart = new TextEncoder().encode('{"kind":"act",')

function factsOf(line: Bytes, index: number): Facts {
  try {
    return JSON.parse(new TextDecoder().decode(line))
  } catch {
    throw new Wrong(say<typeof checkSentences>('malformed', { index: `${index}` }))
  }
}

/**
 * Returns a function that checks each entry in turn. The function throws Wrong for an act without its effect,
 * and for a gap in the acts.
 */
function actChecker(): (line: Bytes, index: number) => void {
  let last = 0
  let before: Bytes = new Uint8Array()
  return (line, index) => {
    if (areEqual(line.subarray(0, actStart.length), actStart)) {
      const { act, id, made = null } = factsOf(line, index)
      if (id !== ++last)
        throw new Wrong(say<typeof checkSentences>('missingAct', { number: `${last}`, index: `${index}` }))
      const kind = madeBy.get(act)
      const effect = made && index > 0 ? factsOf(before, index - 1) : null
      const isEffect = effect !== null && made?.kind === effect.kind && made?.id === effect.id
      const isRight = kind === undefined ? !made || isEffect : kind ? isEffect && made?.kind === kind : !made
      if (!isRight) throw new Wrong(say<typeof checkSentences>('actWithoutEffect', { index: `${index}` }))
    }
    before = line
  }
}

/**
 * Compares the root of the export with each checkpoint, at the checkpoint's size. Returns the number of
 * entries. Throws Wrong if a root differs or entries are missing. Throws Unchecked if more than
 * `mostUnsigned` entries are not covered by any checkpoint.
 */
async function checkEntries(
  lines: AsyncIterable<Bytes>,
  checkpoints: KnownCheckpoint[],
  tell: Tell,
): Promise<number> {
  const tiles: Hash[] = []
  const most = Math.max(...checkpoints.map((checkpoint) => checkpoint.size)) + mostUnsigned
  let size = 0
  let batch: Promise<Hash>[] = []
  const checkAct = actChecker()
  const closeBatch = async () => {
    const leaves = await Promise.all(batch)
    for (const { size: end, root, isKept } of checkpoints) {
      if (end <= size - leaves.length || end > size) continue
      const last = leaves.slice(0, end - (size - leaves.length))
      if (!areEqual(await treeHash([...tiles, await treeHash(last)]), root))
        throw new Wrong(sayCount<typeof checkSentences>(isKept ? 'changedSinceKept' : 'changed', end))
    }
    tiles.push(await treeHash(leaves))
    batch = []
    tell(size)
  }
  for await (const line of lines) {
    if (size === most) throw new Unchecked(say<typeof checkSentences>('tooManyUnsigned'))
    checkAct(line, size)
    batch.push(hashLeaf(line))
    size++
    if (batch.length === tileWidth) await closeBatch()
  }
  if (batch.length > 0) await closeBatch()
  for (const { size: end, isKept } of checkpoints) {
    const name = isKept ? 'missingOfKept' : 'missing'
    if (end > size) throw new Wrong(sayCount<typeof checkSentences>(name, size, { size: formatCount(end) }))
  }
  return size
}

async function readKept(file: File | undefined, vkey: string): Promise<KnownCheckpoint | null> {
  if (!file) return null
  try {
    return { ...(await openNote(await file.text(), vkey)), isKept: true }
  } catch (error) {
    const reason = error instanceof LogError ? sayFault(error) : (error as Error).message
    throw new Unchecked(`${say<typeof checkSentences>('unusable', { file: file.name })}${gap()}${reason}`)
  }
}

/** Runs all checks. Throws Wrong or a LogError if a check fails, and Unchecked if a check cannot be made. */
async function checkLog(kept: File | undefined, signal: AbortSignal, tell: Tell): Promise<Report> {
  // Read the checkpoint before the export, so that the export has all entries that the checkpoint covers.
  const { latest: signed, vkey } = await readLatest(signal)
  const latest = { ...signed, isKept: false }
  const older = await readKept(kept, vkey)
  tell(0, latest.size)
  if (older) await checkGrowth(older, latest, signal)
  if (latest.size === 0) throw new Unchecked(say<typeof checkSentences>('noEntry'))

  const { ok, body } = await open('/transparency/log.ndjson', signal)
  if (!ok || !body) throw new Unchecked(say<typeof checkSentences>('unavailable'))
  const checkpoints = older ? [latest, older] : [latest]
  const size = await checkEntries(linesOf(body), checkpoints, (entries) => tell(entries, latest.size))
  const unchecked = sayNotChecked(
    !latest.isVerified && say<typeof checkSentences>('notCheckedSignature'),
    !older && say<typeof checkSentences>('notCheckedPast'),
    say<typeof checkSentences>('notCheckedNotes'),
    say<typeof checkSentences>('notCheckedPayments'),
    say<typeof checkSentences>('notCheckedOthers'),
  )
  const sentences = [
    sayCount<typeof checkSentences>(latest.isVerified ? 'good' : 'goodUnsigned', latest.size, {
      origin: latest.origin,
    }),
    size > latest.size && sayCount<typeof checkSentences>('notSigned', size - latest.size),
    older && sayCount<typeof checkSentences>('unchanged', older.size),
    unchecked,
  ]
  return { text: sentences.filter(Boolean).join(gap()), isGood: latest.isVerified }
}

/** Throws Wrong unless tiles prove that the log of `latest` begins with the log of `older`. */
async function checkGrowth(
  older: KnownCheckpoint,
  latest: KnownCheckpoint,
  signal: AbortSignal,
): Promise<void> {
  if (older.origin !== latest.origin)
    throw new Wrong(say<typeof checkSentences>('otherLog', { origin: older.origin }))
  if (older.size > latest.size)
    throw new Wrong(sayCount<typeof checkSentences>('shrunk', older.size, { size: formatCount(latest.size) }))
  const readTiles: ReadTiles = (tiles) => Promise.all(tiles.map((tile) => readTile(tile, signal)))
  const proof = await consistencyProof(older.size, latest.size, readTiles)
  if (!(await verifyConsistency(older.size, latest.size, proof, older.root, latest.root)))
    throw new Wrong(say<typeof checkSentences>('rewritten'))
}

/** Adds the field for a saved checkpoint, and the check. */
function setUp(place: HTMLElement): void {
  const label = make('label', 'font-semibold', say<typeof checkSentences>('keptCheckpoint'))
  const file = make('input', 'field mt-2')
  file.type = 'file'
  file.id = 'kept-checkpoint'
  label.htmlFor = file.id
  const hint = make('p', 'mt-2 text-muted', say<typeof checkSentences>('keptCheckpointHint'))
  hint.id = 'kept-checkpoint-hint'
  file.setAttribute('aria-describedby', hint.id)
  addCheck(place, say<typeof checkSentences>('checkLog'), [label, file, hint], (signal, tell) =>
    checkLog(file.files?.[0], signal, tell),
  )
}

const place = document.querySelector<HTMLElement>('[data-check-ledger]')
// Only secure contexts have Web Crypto. In other contexts the page keeps its link to verify-ledger.mjs.
if (place && isSecureContext) setUp(place)
