/**
 * Adds the button of the count in the browser to the page of ballots. A press loads its script (recount.ts), which
 * replaces the button, so that the page stays small.
 */
import { say } from '~/platform/locales/say'
import type { recountSentences } from './recount-sentences'

const place = document.querySelector<HTMLElement>('[data-recount]')

/** Only secure contexts have Web Crypto. In other contexts the program counts. */
if (place && isSecureContext) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button button-ink mt-6'
  button.textContent = say<typeof recountSentences>('recount')
  const result = document.createElement('p')
  result.role = 'status'
  button.addEventListener('click', () =>
    import(/* @vite-ignore */ place.dataset.recount as string).catch(() => {
      result.textContent = say<typeof recountSentences>('notLoaded')
    }),
  )
  place.replaceChildren(button, result)
}
