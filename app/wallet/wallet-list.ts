/**
 * The script of the third step of /donate and of the payments of operators: adds a button for each wallet of
 * this browser. The script that pays is loaded when a button is pressed.
 */
import { say } from '../platform/locales/say'
import { findWallets, type Wallet } from './browser'
import type { paymentSentences } from './payment-sentences'
import type { Gift } from './wallet-payment'

function setUp(place: HTMLElement): void {
  const { to = '', token = '', symbol = '', units = '', amount = '', cause = '' } = place.dataset
  const { chain, chainName = '', from, after, approves } = place.dataset
  const transfer = { to, token, symbol, units: BigInt(units), approves }
  const gift: Gift = { transfer, amount, cause, chain: Number(chain), chainName, from, after }
  const list = place.querySelector('[data-wallets]')
  const status = place.querySelector('[data-wallet-status]')
  const buttons = new Map<string, HTMLButtonElement>()
  let last: AbortController | undefined
  let busy = false

  const show = (text: string) => {
    if (status) status.textContent = text
  }
  const setBusy = (value: boolean) => {
    busy = value
    for (const button of buttons.values()) button.ariaDisabled = value ? 'true' : null
  }

  const give = async ({ provider }: Wallet) => {
    if (busy) return
    setBusy(true)
    // The previous attempt is still open if its wallet has not answered.
    last?.abort()
    last = new AbortController()
    const { signal } = last
    const script = await import('./wallet-payment').catch(() => null)
    if (script) await script.pay(provider, gift, { signal, show, setBusy })
    else show(say<typeof paymentSentences>('notLoaded'))
    if (!signal.aborted) setBusy(false)
  }

  const addButton = (wallet: Wallet) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button button-gold min-h-15 grow text-lg'
    const label = wallet.name
      ? say<typeof paymentSentences>('payWith', { amount, wallet: wallet.name })
      : say<typeof paymentSentences>('pay', { amount })
    if (wallet.icon)
      button.appendChild(
        Object.assign(document.createElement('img'), { src: wallet.icon, alt: '', width: 20 }),
      )
    button.appendChild(document.createTextNode(label))
    button.addEventListener('click', () => void give(wallet))
    buttons.set(wallet.id, button)
    list?.appendChild(button)
  }

  findWallets((all) => {
    for (const [id, button] of buttons) {
      if (all.some((wallet) => wallet.id === id)) continue
      button.remove()
      buttons.delete(id)
    }
    for (const wallet of all) if (!buttons.has(wallet.id)) addButton(wallet)
    place.hidden = all.length === 0
  })
}

// The demonstration offers no payment: its wallets are made up, so no one could recover a payment to them.
if (!document.querySelector('[data-demo]'))
  for (const place of document.querySelectorAll<HTMLElement>('[data-pay]')) setUp(place)
