/**
 * Keeps a live page up to date. The hub sends the version of the site's data. When data of a kind that the
 * page shows has changed, this script loads the page again and replaces the regions (`data-live`) that
 * differ. A region that has the focus, an open disclosure or selected text is replaced only when the visitor
 * leaves it. The element with `data-version` also stores the connection's state. When the connection is lost,
 * a message replaces the age of the data (`#updated`), and screen readers speak the message once.
 */

import { heartbeat, heartbeatResponse, livePath, type VersionMessage, versionHeader } from '../live/protocol'
import { say } from '../locales/say'
import { addCopyButtons } from './copying'
import { loadPage } from './load-page'
import { rendered } from './regions'
import type { pageSentences } from './sentences'
import { tellTimes } from './times'

type State = 'connecting' | 'connected' | 'disconnecting' | 'disconnected'

/** In milliseconds. */
const heartbeatInterval = 30_000
const heartbeatTimeout = 10_000
/** Maximum random delay before a page loads again, because all open pages are notified at the same time. */
const spread = 1_000
const firstPause = 1_000
const longestPause = 60_000
/** A connection that lasts this long resets the pause before the next attempt to the shortest pause. */
const stableAfter = 10_000
const highlightedFor = 6_000
/** How often a page older than its version is loaded again at most; the pause doubles each time. */
const maxReloads = 6

// enhance.ts loads this module only for a page with LiveStatus.
const status = document.querySelector('[data-version]') as HTMLElement
/** The path and query of the page itself, because `location` changes while a dialog is open. */
const href = location.pathname + location.search
/** The regions of the newest page that could not be replaced yet, by id. */
const pending = new Map<string, HTMLElement>()

let shown = Number(status.dataset.version)
let wanted = shown
let reloads = 0
let loadTimer: ReturnType<typeof setTimeout> | undefined

let socket: WebSocket | null = null
let refusals = 0
/** The message that replaces the age of the page's data while the connection is lost; otherwise empty. */
let offline = ''
let retryTimer: ReturnType<typeof setTimeout> | undefined

/** Further attempts to connect do not change the message, so that screen readers speak it once. */
function show(state: State): void {
  status.dataset.state = state
  if (state === 'connected') tellOffline('')
  else if (state === 'disconnected' && !document.hidden && !offline)
    tellOffline(say<typeof pageSentences>('notLive', { time: new Date().toTimeString().slice(0, 5) }))
}

function tellOffline(words: string): void {
  offline = words
  status.textContent = words
  document.querySelector('#updated')?.setAttribute('data-offline', words)
}

function connect(): void {
  clearTimeout(retryTimer)
  if (socket || document.hidden) return
  show(navigator.onLine ? 'connecting' : 'disconnected')
  if (!navigator.onLine) return
  let opened: WebSocket
  try {
    opened = new WebSocket(location.origin.replace('http', 'ws') + livePath)
  } catch {
    // A browser or a filter that forbids sockets.
    show('disconnected')
    return
  }
  socket = opened
  const since = Date.now()
  let silence: ReturnType<typeof setTimeout> | undefined
  let beat: ReturnType<typeof setInterval> | undefined
  opened.onopen = () => {
    show('connected')
    beat = setInterval(() => {
      opened.send(heartbeat)
      silence = setTimeout(() => opened.close(), heartbeatTimeout)
    }, heartbeatInterval)
  }
  opened.onmessage = ({ data }) => {
    if (data === heartbeatResponse) clearTimeout(silence)
    else receive(JSON.parse(data))
  }
  opened.onclose = () => {
    clearInterval(beat)
    clearTimeout(silence)
    socket = null
    show('disconnected')
    if (document.hidden) return
    if (Date.now() - since > stableAfter) refusals = 0
    const pause = Math.min(longestPause, firstPause * 2 ** refusals++)
    retryTimer = setTimeout(connect, pause * (0.5 + Math.random() / 2))
  }
}

function disconnect(): void {
  clearTimeout(retryTimer)
  refusals = 0
  if (!socket) return
  show('disconnecting')
  socket.close(1000)
}

/** A connection's first message has no kinds: any data may have changed before it. */
function receive({ version, changed }: VersionMessage): void {
  const isShown = (kind: string) => document.querySelector(`[data-live~="${kind}"]`)
  if (version <= wanted || (changed[0] && !changed.some(isShown))) return
  wanted = version
  reloads = 0
  clearTimeout(loadTimer)
  loadTimer = setTimeout(load, Math.random() * spread)
}

async function load(): Promise<void> {
  const version = wanted
  try {
    // The response may have an older version.
    const page = await loadPage(href, { [versionHeader]: `${version}` })
    for (const [id, html] of rendered) {
      const region = page.getElementById(id)
      if (region && region.outerHTML !== html) pending.set(id, region)
      else pending.delete(id)
    }
    place()
    shown = Number(page.querySelector<HTMLElement>('[data-version]')?.dataset.version)
  } catch {
    // The code below tries again.
  }
  if (shown >= version || wanted > version || reloads === maxReloads) return
  loadTimer = setTimeout(load, spread * 2 ** ++reloads)
}

function place(): void {
  let added = 0
  let replaced = 0
  for (const [id, region] of pending) {
    const former = document.getElementById(id)
    if (!former || isInUse(former)) continue
    pending.delete(id)
    rendered.set(id, region.outerHTML)
    added += highlightNew(former, region)
    replaced += 1
    former.replaceWith(document.adoptNode(region) as never)
    addCopyButtons(region)
  }
  if (replaced === 0) return
  tellTimes()
  status.textContent = added
    ? say<typeof pageSentences>('newEntries', { count: `${added}` })
    : say<typeof pageSentences>('pageUpdated')
}

function isInUse(region: HTMLElement): boolean {
  const selection = getSelection()
  return (
    region.contains(document.activeElement) ||
    region.querySelector('details[open]') !== null ||
    (selection?.type === 'Range' && selection.containsNode(region, true))
  )
}

/** Highlights the region's new items (`data-key`) for `highlightedFor` milliseconds. Returns how many. */
function highlightNew(former: HTMLElement, region: HTMLElement): number {
  const entries = [...region.querySelectorAll<HTMLElement>('[data-key]')]
  const added = entries.filter(({ dataset }) => !former.querySelector(`[data-key="${dataset.key}"]`))
  for (const entry of added) {
    const toggle = () => entry.classList.toggle('new-entry')
    toggle()
    setTimeout(toggle, highlightedFor)
  }
  return added.length
}

for (const event of ['focusout', 'toggle', 'selectionchange'])
  document.addEventListener(event, () => pending.size > 0 && setTimeout(place), true)
document.addEventListener('visibilitychange', () => (document.hidden ? disconnect() : connect()))
addEventListener('online', connect)
addEventListener('offline', disconnect)
// A page in the back/forward cache must not keep its socket.
addEventListener('pagehide', disconnect)
addEventListener('pageshow', connect)
connect()
