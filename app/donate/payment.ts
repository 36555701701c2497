/**
 * The script of /donate and of the payment confirmation: sends a gift with a wallet in this browser (EIP-1193, found by
 * EIP-6963), and shows the state of the transaction until it is final. The confirmation's URL contains the hash, so the
 * script continues after a reload.
 */

interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>
}

interface Receipt {
  blockNumber: string
  status: string
}

/** The first wallet that announces itself within 300 ms. If there is none: the one at `window.ethereum`, or null. */
function findProvider(): Promise<Provider | null> {
  return new Promise((resolve) => {
    addEventListener('eip6963:announceProvider', (event) => {
      const { provider } = (event as CustomEvent).detail ?? {}
      if (typeof provider?.request === 'function') resolve(provider)
    })
    dispatchEvent(new Event('eip6963:requestProvider'))
    setTimeout(() => {
      const { ethereum } = window as { ethereum?: Provider }
      resolve(typeof ethereum?.request === 'function' ? ethereum : null)
    }, 300)
  })
}

/** An error whose message is a sentence for the visitor. */
class Refused extends Error {}

const sameText = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
const toHex = (value: bigint) => `0x${value.toString(16)}`
/** An argument of a contract call: 32 bytes in hex. */
const word = (hex: string) => hex.replace(/^0x/, '').toLowerCase().padStart(64, '0')

/** '12.5' in base units; null if it is no positive amount or has more decimals than the token. */
function toUnits(text: string, decimals: number): bigint | null {
  const [, whole, fraction = ''] = /^(\d{1,30})(?:[.,](\d+))?$/.exec(text.trim()) ?? []
  if (whole === undefined || fraction.length > decimals) return null
  const units = BigInt(whole + fraction.padEnd(decimals, '0'))
  return units > 0n ? units : null
}

async function switchChain(provider: Provider, chainId: number, name: string): Promise<void> {
  const wanted = toHex(BigInt(chainId))
  if (sameText(String(await provider.request({ method: 'eth_chainId' })), wanted)) return
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: wanted }] })
  } catch (error) {
    if ((error as { code?: number }).code === 4001) throw error
    throw new Refused(`Your wallet can't switch to ${name}. Add that network in the wallet, then try again.`)
  }
  if (!sameText(String(await provider.request({ method: 'eth_chainId' })), wanted))
    throw new Refused(`Your wallet is still on another network. Switch it to ${name}, then try again.`)
}

interface Gift {
  to: string
  /** Empty for the chain's own coin. */
  token: string
  symbol: string
  units: bigint
}

/** Runs the transfer without sending it. Returns the call to send. Throws Refused if the transfer would fail. */
async function simulate(
  provider: Provider,
  from: string,
  { token, symbol, units, to }: Gift,
): Promise<object> {
  const call = token
    ? { from, to: token, data: `0xa9059cbb${word(to)}${word(toHex(units))}` }
    : { from, to, value: toHex(units) }
  const held = token
    ? await provider.request({
        method: 'eth_call',
        params: [{ to: token, data: `0x70a08231${word(from)}` }, 'latest'],
      })
    : await provider.request({ method: 'eth_getBalance', params: [from, 'latest'] })
  if (/^0x[0-9a-f]+$/i.test(String(held)) && BigInt(String(held)) < units)
    throw new Refused(`This account doesn't have that much ${symbol}.`)
  let result: unknown
  try {
    result = await provider.request({ method: 'eth_call', params: [call, 'latest'] })
    await provider.request({ method: 'eth_estimateGas', params: [call] })
  } catch {
    throw new Refused(
      'The network would refuse this payment, so nothing was sent. Do you have enough for the fee?',
    )
  }
  // A token's `transfer` returns true, or nothing in some old tokens.
  if (token && result !== '0x' && BigInt(String(result)) !== 1n)
    throw new Refused('The token would refuse this payment, so nothing was sent.')
  return call
}

async function send(form: HTMLFormElement, provider: Provider, say: (text: string) => void): Promise<void> {
  const { to = '', toName = '', chain, chainName = '' } = form.dataset
  const amount = form.querySelector('input')
  const choice = form.querySelector('select')?.selectedOptions[0]
  if (!amount || !choice) return
  const symbol = choice.text
  const units = toUnits(amount.value, Number(choice.dataset.decimals))
  if (units === null) {
    amount.setAttribute('aria-invalid', 'true')
    amount.focus()
    throw new Refused(`Enter an amount of ${symbol}, for example 0.1.`)
  }
  amount.removeAttribute('aria-invalid')
  say('Open your wallet and choose an account.')
  const [from] = (await provider.request({ method: 'eth_requestAccounts' })) as string[]
  if (!from) throw new Refused("Your wallet didn't share an account. Please try again.")
  await switchChain(provider, Number(chain), chainName)
  say('Checking the payment…')
  const gift = { to, token: choice.value, symbol, units }
  const call = await simulate(provider, from, gift)
  say(`Ready: ${amount.value.trim()} ${symbol} to ${toName}. Confirm it in your wallet.`)
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [call] })
  if (!/^0x[0-9a-f]{64}$/i.test(String(hash)))
    throw new Refused(
      'Your wallet returned no transaction. Check there whether it sent anything before you try again.',
    )
  location.assign(`/donate/${hash}`)
}

async function setUpForm(form: HTMLFormElement): Promise<void> {
  const provider = await findProvider()
  if (!provider) return
  form.hidden = false
  const status = form.querySelector<HTMLElement>('[data-wallet-status]')
  const button = form.querySelector('button')
  const say = (text: string) => {
    if (status) status.textContent = text
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (button?.ariaDisabled) return
    if (button) button.ariaDisabled = 'true'
    try {
      await send(form, provider, say)
    } catch (error) {
      const code = (error as { code?: number }).code
      if (error instanceof Refused) say(error.message)
      else if (code === 4001) say('You cancelled in your wallet. Nothing was sent.')
      else if (code === -32002) say('Your wallet is already asking you something. Please check it.')
      else say("Your wallet didn't respond. Check there whether it sent anything before you try again.")
    }
    if (button) button.ariaDisabled = null
  })
}

/** Shows the transaction's state every 4 s, as a wallet on the chain reports it. A final transaction has no `place`. */
async function follow(place: HTMLElement): Promise<void> {
  const { transaction, chain, confirmations } = place.dataset
  const provider = await findProvider()
  if (!provider) return
  const look = async () => {
    if (Number(await provider.request({ method: 'eth_chainId' })) !== Number(chain)) return
    const params = [transaction]
    const receipt = (await provider.request({
      method: 'eth_getTransactionReceipt',
      params,
    })) as Receipt | null
    if (!receipt) place.textContent = "Your wallet sent the payment. It isn't on the blockchain yet."
    else if (Number(receipt.status) === 0)
      place.textContent = 'The network refused this transaction. Nothing was donated. You paid only the fee.'
    else {
      const head = Number(await provider.request({ method: 'eth_blockNumber' }))
      const depth = Math.max(1, head - Number(receipt.blockNumber) + 1)
      place.textContent = `On the blockchain, in block ${Number(receipt.blockNumber)}: ${Math.min(depth, Number(confirmations))} of ${confirmations} confirmations.`
    }
    place.hidden = false
  }
  const again = () => {
    look().catch(() => {})
    setTimeout(again, 4_000)
  }
  again()
}

const form = document.querySelector<HTMLFormElement>('form[data-wallet-form]')
if (form) void setUpForm(form)
const followed = document.querySelector<HTMLElement>('[data-transaction]')
if (followed) void follow(followed)
