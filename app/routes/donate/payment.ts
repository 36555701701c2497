/**
 * The script of the third step of /donate: adds a button for each wallet of this browser, and sends the gift
 * with the chosen wallet. The payment confirmation is the next page and follows the transaction.
 */
import { say } from '~/locales/say'
import { findWallets, type Wallet } from '~/wallet/browser'
import { switchChain } from '~/wallet/chain'
import type { paymentSentences } from '~/wallet/payment-sentences'
import { type Provider, type Rejection, rejectionOf, requestAccount } from '~/wallet/provider'
import { Refused } from '~/wallet/refused'
import { keepGift } from '~/wallet/sent-gift'
import { sendCall, simulate, type Transfer } from '~/wallet/transfer'

/** Milliseconds after which the page says that the wallet has not responded. */
const patience = 30_000

/** `sending`: the wallet was asked to send, so the payment may have been sent. */
function rejectionSentence(rejection: Rejection, sending: boolean): string {
  if (rejection === 'declined') return say<typeof paymentSentences>('cancelled')
  if (rejection === 'busy') return say<typeof paymentSentences>('busy')
  if (rejection === 'offline') return say<typeof paymentSentences>(sending ? 'offlineSending' : 'offline')
  return say<typeof paymentSentences>(sending ? 'silentSending' : 'silent')
}

function setUp(place: HTMLElement): void {
  const { to = '', token = '', symbol = '', units = '', amount = '', cause = '' } = place.dataset
  const { chain, chainName = '' } = place.dataset
  const transfer: Transfer = { to, token, symbol, units: BigInt(units) }
  const list = place.querySelector('[data-wallets]')
  const status = place.querySelector('[data-wallet-status]')
  const buttons = new Map<string, HTMLButtonElement>()
  let busy = false
  let sending = false

  const show = (text: string) => {
    if (status) status.textContent = text
  }
  const setBusy = (value: boolean) => {
    busy = value
    for (const button of buttons.values()) button.ariaDisabled = value ? 'true' : null
  }

  /** Sends the gift. Returns the hash of its transaction. Throws Refused, or the wallet's error. */
  const pay = async (provider: Provider): Promise<string> => {
    show(say<typeof paymentSentences>('give', { amount, cause }))
    const from = await requestAccount(provider)
    if (!from) throw new Refused(say<typeof paymentSentences>('noAccount'))
    await switchChain(provider, Number(chain), chainName)
    show(say<typeof paymentSentences>('checking'))
    const call = await simulate(provider, from, transfer)
    show(say<typeof paymentSentences>('ready', { amount, cause }))
    sending = true
    return sendCall(provider, call)
  }

  const give = async ({ provider }: Wallet) => {
    if (busy) return
    setBusy(true)
    sending = false
    const late = setTimeout(() => {
      show(say<typeof paymentSentences>(sending ? 'lateSending' : 'late'))
    }, patience)
    try {
      const hash = await pay(provider)
      keepGift(hash, { amount, cause, sentAt: Date.now() })
      location.assign(`${location.pathname}/${hash}`)
    } catch (error) {
      show(error instanceof Refused ? error.message : rejectionSentence(rejectionOf(error), sending))
    }
    clearTimeout(late)
    setBusy(false)
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

const place = document.querySelector<HTMLElement>('[data-pay]')
// The wallets of the demonstration are made up, so no one could recover a payment to them: its page offers no
// payment.
if (place && !document.querySelector('[data-demo]')) setUp(place)
