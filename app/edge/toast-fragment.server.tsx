// React's build for edge runtimes, also used by the dev server in Node. It is CommonJS: that requires a default import.
import server from 'react-dom/server.browser'
import { Toast } from '../forms/toast'
import { notices } from './notices.server'

const fragments = new Map<string, Uint8Array>()

/** The toast of a notice as HTML, rendered once for each isolate; null for a key that is not in the list. */
export function toastFragment(key: string): Uint8Array | null {
  if (!Object.hasOwn(notices, key)) return null
  let fragment = fragments.get(key)
  if (!fragment) {
    fragment = new TextEncoder().encode(server.renderToStaticMarkup(<Toast notice={notices[key]} />))
    fragments.set(key, fragment)
  }
  return fragment
}
