/**
 * The script of a payment confirmation: shows the gift that this browser sent, prints the page, and loads the
 * module that updates the page if the payment is not final.
 */
import { formatsTag, say } from '~/platform/locales/say'
import { forgetGift, readGift } from '~/wallet/sent-gift'
import { addPrintButtons, announce, showHeading } from './payment-page'
import type { progressSentences } from './progress-sentences'

/** The number of milliseconds from sending the gift until the page says why the payment may be late. */
const lateAfter = 10 * 60_000

/** Shows the stages of the payment, with `text` at 'Sent'. */
function showSent(text: string): void {
  const stages = document.querySelector<HTMLElement>('[data-sent]')
  const when = stages?.querySelector('[data-when]')
  if (!stages || !when) return
  when.textContent = text
  stages.hidden = false
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

const place = document.querySelector<HTMLElement>('[data-transaction]')
const polls = document.querySelector<HTMLElement>('[data-polls]')?.dataset.polls
if (place) thank(place.dataset.transaction ?? '')
addPrintButtons()
if (place || polls) {
  // Without this module the page stays as it is. The visitor can reload it.
  void import('./updates').then(
    ({ follow, poll }) => {
      if (place) follow(place)
      if (polls) poll(Number(polls))
    },
    () => {},
  )
}
