/**
 * The script of /donate: adds a button for each wallet of this browser to the form, and sends a gift with the chosen one.
 * The confirmation, which is the next page, follows the transaction.
 */
import { findWallets, type Wallet } from '~/wallet/browser'
import { switchChain } from '~/wallet/chain'
import { type Provider, type Rejection, rejectionOf, requestAccount } from '~/wallet/provider'
import { Refused } from '~/wallet/refused'
import { keepGift } from '~/wallet/sent-gift'
import { sendCall, simulate } from '~/wallet/transfer'
import { formatUnits, parseUnits } from '~/wallet/units'

const rejections: Record<Rejection, string> = {
  declined: 'You cancelled in your wallet. Nothing was sent.',
  busy: 'Your wallet is already asking you something. Please check it.',
  silent: "Your wallet didn't respond. Check there whether it sent anything before you try again.",
}

/** A gift as the form states it; `words` is '1000 USDT to Treasury'. */
interface Gift {
  to: string
  token: string
  symbol: string
  units: bigint
  amount: string
  words: string
}

/** Reads the form. Returns the gift, or the sentence about an amount that is refused. */
function readGift(form: HTMLFormElement, amount: HTMLInputElement): Gift | string {
  const { to = '', toName = '' } = form.dataset
  const [choice] = form.querySelector('select')?.selectedOptions ?? []
  const symbol = choice?.text ?? ''
  const decimals = Number(choice?.dataset.decimals)
  const parsed = parseUnits(amount.value, decimals)
  if (!('units' in parsed))
    return parsed.fault === 'ambiguous'
      ? 'Write 1000 or 1000.00.'
      : `Enter an amount of ${symbol}, for example 0.1.`
  const { units } = parsed
  const given = `${formatUnits(units, decimals)} ${symbol}`
  return { to, token: choice?.value ?? '', symbol, units, amount: given, words: `${given} to ${toName}` }
}

/** Sends the gift. Returns the hash of its transaction. `say` shows each step. Throws Refused, or the wallet's error. */
async function pay(
  provider: Provider,
  gift: Gift,
  chain: { id: number; name: string },
  say: (text: string) => void,
): Promise<string> {
  say(`You give ${gift.words}. Open your wallet and choose an account.`)
  const from = await requestAccount(provider)
  if (!from) throw new Refused("Your wallet didn't share an account. Please try again.")
  await switchChain(provider, chain.id, chain.name)
  say('Checking the payment…')
  const call = await simulate(provider, from, gift)
  say(`Ready: ${gift.words}. Confirm it in your wallet.`)
  return sendCall(provider, call)
}

function setUp(form: HTMLFormElement, amount: HTMLInputElement): void {
  const find = (attribute: string) => form.querySelector<HTMLElement>(`[${attribute}]`)
  const [parsed, list, status] = ['data-parsed', 'data-wallets', 'data-wallet-status'].map(find)
  const buttons = new Map<string, HTMLButtonElement>()
  let wallets: Wallet[] = []
  let busy = false

  const say = (text: string) => {
    if (status) status.textContent = text
  }
  const setBusy = (value: boolean) => {
    busy = value
    for (const button of buttons.values()) button.ariaDisabled = value ? 'true' : null
  }
  const showParsed = () => {
    const gift = readGift(form, amount)
    if (parsed) parsed.textContent = typeof gift === 'string' ? '' : `You give ${gift.words}.`
  }
  const give = async ({ provider }: Wallet) => {
    if (busy) return
    const gift = readGift(form, amount)
    if (typeof gift === 'string') {
      amount.setAttribute('aria-invalid', 'true')
      amount.focus()
      return say(gift)
    }
    amount.removeAttribute('aria-invalid')
    setBusy(true)
    const { chain, chainName = '', cause = '' } = form.dataset
    try {
      const hash = await pay(provider, gift, { id: Number(chain), name: chainName }, say)
      keepGift(hash, { amount: gift.amount, cause, sentAt: Date.now() })
      location.assign(`/donate/${hash}`)
    } catch (error) {
      say(error instanceof Refused ? error.message : rejections[rejectionOf(error)])
    }
    setBusy(false)
  }
  const addButton = (wallet: Wallet) => {
    const button = document.createElement('button')
    // Not a submit button: Enter in the field would press the first one, and so choose the wallet for the donor.
    button.type = 'button'
    button.className = 'button button-gold'
    if (wallet.icon)
      button.appendChild(
        Object.assign(document.createElement('img'), { src: wallet.icon, alt: '', width: 20 }),
      )
    button.appendChild(document.createTextNode(`Send with ${wallet.name || 'your wallet'}`))
    button.addEventListener('click', () => void give(wallet))
    buttons.set(wallet.id, button)
    list?.appendChild(button)
  }

  findWallets((all) => {
    wallets = all
    for (const [id, button] of buttons) {
      if (all.some((wallet) => wallet.id === id)) continue
      button.remove()
      buttons.delete(id)
    }
    for (const wallet of all) if (!buttons.has(wallet.id)) addButton(wallet)
    form.hidden = all.length === 0
  })
  form.addEventListener('input', showParsed)
  // The browser may have restored an amount.
  showParsed()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const [first, second] = wallets
    if (first && !second) return void give(first)
    say('Choose a wallet.')
    list?.querySelector('button')?.focus()
  })
}

const form = document.querySelector<HTMLFormElement>('form[data-wallet-form]')
const amount = form?.querySelector('input')
// The wallets of the demonstration are made up, and no one could recover a payment to them. Its page has no form either.
if (form && amount && !document.querySelector('[data-demo]')) setUp(form, amount)
