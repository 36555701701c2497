/**
 * The script of a page with a text to sign (a ballot, the proof of a key, the answer of a recipient): adds a button for each
 * wallet of this browser. A button loads the page with the text for the wallet's account and what is chosen, lets the wallet
 * sign it, and sends the form of that page. A form that has the text already is sent itself.
 */
import { encodeHex } from '~/platform/bytes'
import { say } from '~/platform/locales/say'
import { findWallets, type Wallet } from '~/wallet/browser'
import { type Provider, rejectionOf, requestAccount } from '~/wallet/provider'
import { loadPage } from './load-page'
import type { signSentences } from './text-signing-sentences'

/** Milliseconds after which the page says that the wallet has not responded. */
const patience = 30_000

type Sentence = keyof typeof signSentences

function setUp(place: HTMLElement): void {
  const list = place.querySelector('[data-wallets]')
  const status = place.querySelector('[role=status]')
  const buttons = new Map<string, HTMLButtonElement>()
  let busy = false

  const show = (name: Sentence | null) => {
    if (status) status.textContent = name && say<typeof signSentences>(name)
  }

  const press = async ({ provider }: Wallet) => {
    if (busy) return
    busy = true
    const late = setTimeout(() => {
      show('late')
      busy = false
    }, patience)
    show(await sign(provider, show))
    clearTimeout(late)
    busy = false
  }

  findWallets((all) => {
    for (const [id, button] of buttons)
      if (!all.some((wallet) => wallet.id === id)) {
        button.remove()
        buttons.delete(id)
      }
    for (const wallet of all) {
      if (buttons.has(wallet.id)) continue
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'button button-ink'
      if (wallet.icon)
        button.appendChild(
          Object.assign(document.createElement('img'), { src: wallet.icon, alt: '', width: 20 }),
        )
      const label = wallet.name
        ? say<typeof signSentences>('signWith', { wallet: wallet.name })
        : say<typeof signSentences>('sign')
      button.appendChild(document.createTextNode(label))
      button.addEventListener('click', () => void press(wallet))
      buttons.set(wallet.id, button)
      list?.appendChild(button)
    }
    place.hidden = all.length === 0
  })
}

/** Sends the text that the wallet signed. Returns what to show if it was not sent. */
async function sign(provider: Provider, show: (name: Sentence) => void): Promise<Sentence | null> {
  const chosen = place?.closest('form')
  const query = new URLSearchParams(
    chosen ? [...new FormData(chosen)].map(([name, value]) => [name, `${value}`]) : [],
  )
  if (chosen?.querySelector('[name=choice]') && !query.has('choice')) return 'noChoice'
  try {
    show('asking')
    const address = await requestAccount(provider)
    if (!address) return 'account'
    query.set('address', address)
    // The form of the buttons may have the text already.
    const own = chosen?.matches('[data-signed]') ? chosen : null
    const page = own ? null : await loadPage(`${location.pathname}?${query}`).catch(() => null)
    const form = own ?? page?.querySelector<HTMLFormElement>('form[data-signed]')
    const text = form?.querySelector('textarea')?.value
    // The page says which percentage is wrong, or why the wallet's ballot would not count.
    if (page?.querySelector('#split-error, [data-weightless]')) location.search = `${query}`
    if (!form || !text) return 'unprepared'
    // `personal_sign` takes the text as hex.
    const hex = `0x${encodeHex(new TextEncoder().encode(text))}`
    const signature = await provider.request({ method: 'personal_sign', params: [hex, address] })
    if (typeof signature !== 'string') return 'silent'
    const signed = own ?? document.importNode(form, true)
    const field = signed.querySelector<HTMLInputElement>('[name=signature]')
    if (!field) return 'unprepared'
    field.value = signature
    if (!own) {
      signed.hidden = true
      document.body.appendChild(signed)
    }
    signed.submit()
    return null
  } catch (error) {
    return rejectionOf(error)
  }
}

const place = document.querySelector<HTMLElement>('[data-sign]')
if (place) setUp(place)
