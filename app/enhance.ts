/**
 * The script that root.tsx adds to every page. No flow depends on this script. React renders the elements of
 * hydrated pages, so this script changes them only after an event.
 */

import './platform/enhance/regions'
import './platform/enhance/copying'
import './platform/enhance/dialogs'
import './platform/enhance/fragment'
import './platform/enhance/session'
import './platform/enhance/sharing'
import './platform/enhance/times'
import './platform/enhance/toasts'

// Most pages are not live and do not load the script for live pages.
if (document.querySelector('[data-version]')) void import('./platform/enhance/live')

/** Escape, or a click outside the open menu, closes the menu. */
const openMenu = () => document.querySelector<HTMLDetailsElement>('details.menu[open]')
document.addEventListener('keydown', (event) => {
  const menu = openMenu()
  if (event.key !== 'Escape' || !menu) return
  menu.open = false
  menu.querySelector('summary')?.focus()
})
document.addEventListener('click', (event) => {
  const menu = openMenu()
  if (menu && !menu.contains(event.target as Node)) menu.open = false
})

/** Prevents a form from being sent twice. */
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  if (event.defaultPrevented || form.method === 'dialog') return
  if (form.dataset.sent) event.preventDefault()
  form.dataset.sent = 'yes'
})
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sent]')) delete form.dataset.sent
})
