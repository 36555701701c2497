/** What the browser's checks of log and votes share: downloads of checkpoint and files, controls. */

import { type Bytes, LogError } from '../log/bytes.ts'
import { type Checkpoint, openCheckpoint, parseCheckpoint } from '../log/checkpoint.ts'
import { parseNote, parseVerifierKey } from '../log/note.ts'
import { type Tile, tilePath } from '../log/tile.ts'
import { formatsTag, say, sayCount } from '../platform/locales/say.ts'
import { sayFault } from './fault.ts'
import type { logCheckSentences } from './log-check-sentences'

const logPrefix = '/transparency/log'
const longestEntry = 65_535

/** The check could not be made, for example because a download failed. This is not a fault of the log. */
export class Unchecked extends Error {}

/** The log is wrong. The message is in the language of the page. */
export class Wrong extends Error {
  /** The fault in English, after the message. */
  readonly detail: string

  constructor(message: string, detail = '') {
    super(message)
    this.detail = detail
  }
}

/** Tells how many entries are checked, and how many there are. */
export type Tell = (entries: number, of?: number) => void

/**
 * The lines of a stream as bytes. Throws Wrong if the last line has no line feed, because the entry may be
 * incomplete. Also throws Wrong if an incomplete line is longer than the longest entry.
 */
export async function* linesOf(body: ReadableStream<Bytes>): AsyncGenerator<Bytes> {
  const reader = body.getReader()
  let rest: Bytes = new Uint8Array()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const bytes = new Uint8Array(rest.length + read.value.length)
    bytes.set(rest)
    bytes.set(read.value, rest.length)
    let from = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      yield bytes.slice(from, end)
      from = end + 1
    }
    rest = bytes.slice(from)
    if (rest.length > longestEntry) throw new Wrong(say<typeof logCheckSentences>('longLine'))
  }
  if (rest.length) throw new Wrong(say<typeof logCheckSentences>('halfLine'))
}

export async function open(path: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(path, { signal, cache: 'no-cache' })
  if (!response.ok && response.status !== 404)
    throw new Unchecked(say<typeof logCheckSentences>('unavailable'))
  return response
}

/** Reads the checkpoint. Some browsers lack Ed25519: it says whether it was checked. Throws if wrong. */
export async function openNote(note: string, vkey: string): Promise<Checkpoint & { isVerified: boolean }> {
  const { origin } = parseCheckpoint(parseNote(note).text)
  try {
    return { ...(await openCheckpoint(note, [await parseVerifierKey(vkey)], origin)), isVerified: true }
  } catch (error) {
    if ((error as Error).name !== 'NotSupportedError') throw error
    return { ...parseCheckpoint(parseNote(note).text), isVerified: false }
  }
}

/** Downloads the newest checkpoint and the key of the site. */
export async function readLatest(signal: AbortSignal) {
  const [signed, key] = await Promise.all([
    open(`${logPrefix}/checkpoint`, signal),
    open(`${logPrefix}/vkey`, signal),
  ])
  if (!signed.ok) throw new Unchecked(say<typeof logCheckSentences>('noCheckpoint'))
  if (!key.ok) throw new Unchecked(say<typeof logCheckSentences>('unavailable'))
  const vkey = (await key.text()).trimEnd()
  return { vkey, latest: await openNote(await signed.text(), vkey) }
}

export async function readTile(tile: Tile, signal: AbortSignal): Promise<Bytes> {
  const response = await open(`${logPrefix}/${tilePath(tile)}`, signal)
  if (!response.ok) throw new Unchecked(say<typeof logCheckSentences>('unavailable'))
  return new Uint8Array(await response.arrayBuffer())
}

/** What was not checked, in a sentence. A part that is false was checked. */
export function sayNotChecked(...parts: (string | false)[]): string {
  const list = new Intl.ListFormat(formatsTag()).format(parts.filter((part) => part !== false))
  return say<typeof logCheckSentences>('notChecked', { list })
}

/** The result of the checks in words. `isGood`: the signature was checked too. */
export interface Report {
  text: string
  isGood: boolean
}

export function make<Name extends keyof HTMLElementTagNameMap>(name: Name, className = '', text = '') {
  const element = document.createElement(name)
  element.className = className
  element.textContent = text
  return element
}

/** Fills `place` with `fields`, a button that starts and cancels `check`, progress and result. */
export function addCheck(
  place: HTMLElement,
  label: string,
  fields: HTMLElement[],
  check: (signal: AbortSignal, tell: Tell) => Promise<Report>,
): HTMLButtonElement {
  const button = make('button', 'button button-ink mt-6')
  button.type = 'button'
  const progress = make('progress', 'progress mt-6')
  progress.setAttribute('aria-label', say<typeof logCheckSentences>('progress'))
  const count = make('p', 'figures mt-2 text-muted')
  const result = make('p')
  result.setAttribute('role', 'status')

  let running: AbortController | null = null
  const show = () => {
    button.textContent = running ? say<typeof logCheckSentences>('cancel') : label
    for (const element of [progress, count]) element.hidden = !running
    for (const field of place.querySelectorAll('input')) field.disabled = running !== null
  }
  const tell = (text: string, colours = '', detail = '') => {
    result.className = text && `mt-6 rounded-block border-s-4 p-4 wrap-anywhere ${colours}`
    const english = make('span', 'block', detail)
    english.lang = 'en'
    english.dir = 'ltr'
    result.replaceChildren(text, ...(detail ? [english] : []))
  }

  const run = async ({ signal }: AbortController) => {
    tell('')
    progress.removeAttribute('value')
    count.textContent = ''
    try {
      const { text, isGood } = await check(signal, (entries, of) => {
        if (of) {
          progress.max = of
          progress.value = Math.min(entries, of)
        }
        count.textContent = sayCount<typeof logCheckSentences>('checked', entries)
      })
      tell(text, isGood ? 'border-good bg-good-wash' : 'border-edge bg-plain-wash')
    } catch (error) {
      const plain = 'border-edge bg-plain-wash'
      const bad = 'border-bad bg-bad-wash'
      if (signal.aborted) tell(say<typeof logCheckSentences>('cancelled'), plain)
      else if (error instanceof LogError) tell(sayFault(error), bad)
      else if (error instanceof Wrong) tell(error.message, bad, error.detail)
      else tell(error instanceof Unchecked ? error.message : say<typeof logCheckSentences>('lost'), plain)
    }
  }
  button.addEventListener('click', async () => {
    if (running) return running.abort()
    running = new AbortController()
    show()
    await run(running)
    // Stop the download if it is still running.
    running.abort()
    running = null
    show()
  })
  place.replaceChildren(...fields, button, progress, count, result)
  show()
  return button
}
