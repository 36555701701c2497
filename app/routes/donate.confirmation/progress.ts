/** The script of a payment confirmation: updates the page until the payment is final, and prints the page. */
import { addCopyButtons } from '~/enhance/copying'
import { loadPage } from '~/enhance/load-page'
import { addLocalTimes } from '~/enhance/local-times'
import { formatsTag, say } from '~/locales/say'
import { findWallets, type Wallet } from '~/wallet/browser'
import { isOnChain } from '~/wallet/chain'
import type { Provider } from '~/wallet/provider'
import { forgetGift, readGift } from '~/wallet/sent-gift'
import type { progressSentences } from './progress-sentences'

/** The number of milliseconds from sending the gift until the page says why the payment may be late. */
const lateAfter = 10 * 60_000
/** Milliseconds between two requests for the state of the transaction. */
const pause = 4_000

interface Receipt {
  blockNumber: string
  status: string
}

/** Replaces the heading of a payment that the ledger does not have yet. */
function showHeading(first: string, rest: string): void {
  const [large, small] = document.querySelectorAll('[data-thanks] > span')
  if (large) large.textContent = first
  if (small) small.textContent = rest
}

/** Shows the done version of the step 'Sent', with `text`, and hides the open version. */
function showSent(text: string): void {
  const done = document.querySelector<HTMLElement>('[data-sent]')
  const open = done?.nextElementSibling
  if (!done || !(open instanceof HTMLElement)) return
  const when = done.querySelector('[data-when]')
  if (when) when.textContent = text
  done.hidden = false
  open.hidden = true
}

/** Announces a sentence, but not twice in succession. */
function announce(text: string): void {
  const status = document.querySelector('[data-status]')
  if (status && status.textContent !== text) status.textContent = text
}

/**
 * A sentence with the state that a wallet reports. `needed`: the confirmations that make a transfer final.
 */
async function stateOf(provider: Provider, transaction: string, needed: number): Promise<string> {
  const receipt = (await provider.request({
    method: 'eth_getTransactionReceipt',
    params: [transaction],
  })) as Receipt | null
  if (!receipt) return say<typeof progressSentences>('notThere')
  if (Number(receipt.status) === 0) {
    showHeading(say<typeof progressSentences>('refusedHeading'), '')
    announce(say<typeof progressSentences>('refused'))
    return say<typeof progressSentences>('refusedState')
  }
  const block = Number(receipt.blockNumber)
  announce(say<typeof progressSentences>('inBlock'))
  const head = Number(await provider.request({ method: 'eth_blockNumber' }))
  const depth = Math.min(needed, Math.max(1, head - block + 1))
  return say<typeof progressSentences>('state', { block: `${block}`, depth: `${depth}`, needed: `${needed}` })
}

/**
 * Follows the transaction with the first wallet that is on the same blockchain. A final transaction has no
 * `place`.
 */
function follow(place: HTMLElement): void {
  const { transaction = '', chain, confirmations } = place.dataset
  let wallets: Wallet[] = []
  const look = async () => {
    for (const { provider } of wallets) {
      if (!(await isOnChain(provider, Number(chain)))) continue
      place.textContent = await stateOf(provider, transaction, Number(confirmations))
      place.hidden = false
      return
    }
  }
  const again = () => {
    if (!place.isConnected) return
    look().catch(() => {})
    setTimeout(again, pause)
  }
  findWallets((all) => {
    wallets = all
  })
  again()
}

/**
 * Until the ledger has the transaction, shows the gift that this browser sent. Hides the text about a late
 * payment until the payment is late.
 */
function thank(hash: string): void {
  const late = document.querySelector<HTMLElement>('[data-late]')
  if (!late) {
    forgetGift(hash)
    return
  }
  const gift = readGift(hash)
  if (gift) {
    showHeading(
      say<typeof progressSentences>('thanks'),
      say<typeof progressSentences>('onItsWay', { amount: gift.amount, cause: gift.cause }),
    )
    for (const unseen of document.querySelectorAll<HTMLElement>('[data-unseen]')) unseen.hidden = true
    const time = new Date(gift.sentAt).toLocaleString(formatsTag(), {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    })
    showSent(say<typeof progressSentences>('sentAt', { time }))
  }
  const wait = (gift?.sentAt ?? openedAt(hash)) + lateAfter - Date.now()
  if (wait <= 0) return
  late.hidden = true
  setTimeout(() => {
    late.hidden = false
    announce(say<typeof progressSentences>('late'))
  }, wait)
}

/** When this tab first opened the page. */
function openedAt(hash: string): number {
  try {
    const known = sessionStorage.getItem(hash)
    if (known) return Number(known)
    sessionStorage.setItem(hash, `${Date.now()}`)
  } catch {}
  return Date.now()
}

function addPrintButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-print]')) {
    button.hidden = false
    button.onclick = () => print()
  }
}

/** Loads the page again every `seconds`. Shows and announces a new stage. Stops when the result is final. */
function poll(seconds: number): void {
  setTimeout(async () => {
    const newer = await loadPage(location.href).catch(() => null)
    const [shown, next] = [document, newer].map((page) => page?.querySelector<HTMLElement>('[data-payment]'))
    if (shown && next && next.dataset.payment !== shown.dataset.payment) {
      const part = document.importNode(next, true)
      shown.replaceWith(part)
      addCopyButtons(part)
      addLocalTimes()
      addPrintButtons()
      announce(next.dataset.payment ?? '')
    }
    if (newer && !newer.querySelector('[data-polls]')) {
      forgetGift(location.pathname.split('/').at(-1) ?? '')
      document.querySelector('[data-updating]')?.remove()
    } else poll(seconds)
  }, seconds * 1000)
}

const place = document.querySelector<HTMLElement>('[data-transaction]')
if (place) {
  thank(place.dataset.transaction ?? '')
  follow(place)
}
addPrintButtons()
const polls = document.querySelector<HTMLElement>('[data-polls]')?.dataset.polls
if (polls) poll(Number(polls))
