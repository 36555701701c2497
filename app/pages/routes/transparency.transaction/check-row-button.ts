/**
 * Adds the button 'Check this payment' to a row's page. Adds 'Check the blockchain too' if endpoints are
 * configured. Each button loads its script, check-row.ts or check-chain.ts, when it is pressed, so that the
 * page stays small.
 */
import { formatsTag, say } from '~/platform/locales/say.ts'
import type { checkSentences } from './check-sentences'

const place = document.querySelector<HTMLElement>('[data-check-row]')

/** Only secure contexts have Web Crypto. In other contexts the visitor can still download the proof. */
if (place && isSecureContext) {
  const { checker = '', chainChecker = '', endpoints = '' } = place.dataset
  const result = document.createElement('p')
  result.role = 'status'
  const parts: Element[] = [result]
  const add = (kind: string, module: string, label: string, className: string, hint: string) => {
    const button = document.createElement('button')
    button.className = className
    button.dataset.kind = kind
    button.textContent = label
    const explanation = document.createElement('p')
    explanation.className = 'mt-2 mb-4 text-muted'
    explanation.textContent = hint
    // A second import does not run a loaded module again, so the module has its own listener.
    button.addEventListener('click', () =>
      import(/* @vite-ignore */ module).catch(() => {
        result.textContent = say<typeof checkSentences>('notLoaded')
      }),
    )
    parts.push(button, explanation)
  }
  add(
    'row',
    checker,
    say<typeof checkSentences>('checkRow'),
    'button button-ink',
    say<typeof checkSentences>('checkRowHint'),
  )
  if (endpoints) {
    const hosts = endpoints.split(' ').map((url) => new URL(url).host)
    const hint = say<typeof checkSentences>('checkChainHint', {
      hosts: new Intl.ListFormat(formatsTag()).format(hosts),
    })
    add('chain', chainChecker, say<typeof checkSentences>('checkChain'), 'button', hint)
  }
  ;(place as ParentNode).prepend(...parts)
}
