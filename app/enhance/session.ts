/**
 * Follows the session: what supabase-js does in a browser that holds the tokens, for one that does not. The
 * server refreshes when it is asked; this asks every 30 seconds while the page is visible, and at once when it
 * becomes visible again, and shows the page anew when somebody else, or nobody, is signed in (spec §4).
 */

const tick = 30_000
/** After a failure it asks again after 200 ms × 2^attempt, until 30 seconds are over (spec §9). */
const firstDelay = 200
const retryBudget = 30_000

const mark = document.documentElement.dataset.session ?? ''
const channel = new BroadcastChannel('session')
let asking = false
let again = false

async function ask(): Promise<void> {
  again = true
  if (asking || document.hidden) return
  asking = true
  const startedAt = Date.now()
  for (let attempt = 0; !document.hidden; attempt++) {
    again = false
    const now = await readMark()
    if (now !== null) {
      if (now !== mark) await leave()
      break
    }
    const delay = firstDelay * 2 ** attempt
    if (Date.now() + delay - startedAt > retryBudget) break
    await new Promise((resolve) => setTimeout(resolve, delay))
  }
  asking = false
  // The answer was on its way already when something else happened: it may be older.
  if (again) void ask()
}

/** Whose session it is now, or null where that can't be had: then everything stays as it is. */
async function readMark(): Promise<string | null> {
  try {
    const response = await fetch('/auth/session', { headers: { Accept: 'application/json' } })
    // Asked too often: the next tick is soon enough.
    if (response.status === 429) return mark
    return response.ok ? ((await response.json()) as { mark: string }).mark : null
  } catch {
    return null
  }
}

/** Shows this address as it is for who is signed in now. What was typed is given to the server first. */
async function leave(): Promise<void> {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-draft]')) {
    const { draft = '' } = form.dataset
    await fetch(draft, { method: 'POST', body: new FormData(form) }).catch(() => {})
  }
  location.replace(location.pathname + location.search)
}

// A tab that differs asks the server itself: two tabs that believed each other would reload for ever.
channel.onmessage = ({ data }) => {
  if (data !== mark) void ask()
}
channel.postMessage(mark)
setInterval(() => {
  if (mark && !asking) void ask()
}, tick)
document.addEventListener('visibilitychange', ask)
// A page that comes back whole from the browser's memory may be older than the session.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void ask()
})
