/**
 * Follows the session, as supabase-js does on sites whose scripts have the tokens. On this site the tokens
 * are in HttpOnly cookies, and /auth/session refreshes them. This script requests /auth/session every 30
 * seconds while a member's page is visible. The script also sends this request immediately when a page
 * becomes visible again, when another tab has a different fingerprint, or when the session of a cached page
 * is about to expire. The script reloads the page when the new fingerprint differs from the page's
 * fingerprint: a different member is signed in, the visitor signed in or out, or the assurance level or email
 * address changed (spec §4).
 */

const tick = 30_000
/** A failed request is repeated after 200 ms × 2^attempt, for at most 30 seconds (spec §9). */
const firstDelay = 200
const retryBudget = 30_000

/** The session's fingerprint, then 'due' on a cached page if it is about to expire (visitor.server.ts). */
const [fingerprint = '', due] = (document.documentElement.dataset.session ?? '').split(' ')
const channel = openChannel()
let asking = false
let again = false

/** Null in a browser that keeps tabs apart. */
function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel('session')
  } catch {
    return null
  }
}

async function ask(): Promise<void> {
  again = true
  if (asking || document.hidden) return
  asking = true
  const startedAt = Date.now()
  for (let attempt = 0; !document.hidden; attempt++) {
    again = false
    const now = await readFingerprint()
    if (now !== null) {
      if (now !== fingerprint) await leave()
      break
    }
    const delay = firstDelay * 2 ** attempt
    if (Date.now() + delay - startedAt > retryBudget) break
    await new Promise((resolve) => setTimeout(resolve, delay))
  }
  asking = false
  // An event occurred during the request, so the response may be older than the event.
  if (again) void ask()
}

/** The current session's fingerprint; the page's if the request was rate limited; null if it failed. */
async function readFingerprint(): Promise<string | null> {
  try {
    const response = await fetch('/auth/session', { headers: { Accept: 'application/json' } })
    // If the request was rate limited, wait for the next tick.
    if (response.status === 429) return fingerprint
    return response.ok ? ((await response.json()) as { fingerprint: string }).fingerprint : null
  } catch {
    return null
  }
}

/** Reloads the page for the current session, after the fields of forms with `data-draft` were sent. */
async function leave(): Promise<void> {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-draft]')) {
    const { draft = '' } = form.dataset
    await fetch(draft, { method: 'POST', body: new FormData(form) }).catch(() => {})
  }
  location.replace(location.pathname + location.search)
}

// If another tab has a different fingerprint, request the current fingerprint. A reload without that request
// could make the other tab reload, and the two tabs would reload forever.
if (channel)
  channel.onmessage = ({ data }) => {
    if (data !== fingerprint) void ask()
  }
channel?.postMessage(fingerprint)
if (due) void ask()
setInterval(() => {
  if (fingerprint && !asking) void ask()
}, tick)
document.addEventListener('visibilitychange', ask)
// A page from the back/forward cache may be older than the session.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void ask()
})
