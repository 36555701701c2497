/**
 * The one script of every page: what HTML alone can't do. Nothing here is needed for a flow to work.
 * It runs beside framework script where there is some, so it changes the page only when something happens.
 */

import './enhance/copying'
import './enhance/dialogs'

const tick = 30_000
const channel = new BroadcastChannel('session')
const signedIn = document.documentElement.dataset.session === 'in'

/** Another tab has signed in or out, or the session has ended: show this page as it is now. */
function follow(nowSignedIn: boolean): void {
  if (nowSignedIn !== signedIn) location.reload()
}

async function askSession(): Promise<void> {
  if (document.hidden) return
  try {
    const response = await fetch('/auth/session', { headers: { Accept: 'application/json' } })
    if (response.ok) follow(((await response.json()) as { signedIn: boolean }).signedIn)
  } catch {
    // Not reachable now: the next tick asks again.
  }
}

// A tab that differs asks the server itself: two tabs that believed each other would reload for ever.
channel.onmessage = ({ data }) => {
  if (data !== signedIn) void askSession()
}
channel.postMessage(signedIn)
if (signedIn) setInterval(askSession, tick)
document.addEventListener('visibilitychange', askSession)
// A page that comes back whole from the browser's memory may be older than the session.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void askSession()
})

/** One menu open at a time, closed by Escape and by a click elsewhere. */
document.addEventListener('keydown', (event) => {
  const menu = document.querySelector<HTMLDetailsElement>('details.menu[open]')
  if (event.key !== 'Escape' || !menu) return
  menu.open = false
  menu.querySelector('summary')?.focus()
})
document.addEventListener('click', (event) => {
  const menu = document.querySelector<HTMLDetailsElement>('details.menu[open]')
  if (menu && !menu.contains(event.target as Node)) menu.open = false
})

/** A form is sent once: a second press while the first is on its way does nothing. */
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  if (event.defaultPrevented || form.method === 'dialog') return
  if (form.dataset.sent) event.preventDefault()
  form.dataset.sent = 'yes'
})
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sent]')) delete form.dataset.sent
})
