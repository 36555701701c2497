/** The wallet button needs JavaScript, because browser wallets have only a JavaScript interface. */
import type { Page } from '@playwright/test'
import { encodeFunctionData, erc20Abi, formatUnits, type Hex, parseUnits } from 'viem'
import { formatRoundDollars } from '../../app/platform/money.ts'
import { contracts, type Project, startProject } from '../chain/project.ts'
import { catchUp } from '../chain/truth.ts'
import { addGoal } from '../support/goals.ts'
import { startSite, warmUp } from '../support/site.ts'
import { expect, test } from './fixtures.ts'
import { installProvider } from './provider.ts'

/** The dollar price of one BNB in the price feed. */
const coinRate = 612.34

/** Installs a wallet whose account on the local chain is the project's stranger. */
function installLocalWallet(page: Page, { evm, who }: Project) {
  let chain = '0x1'
  return installProvider(page, async (method, params) => {
    if (method === 'eth_requestAccounts') return { answer: [who.stranger.address] }
    if (method === 'eth_chainId') return { answer: chain }
    if (method === 'wallet_switchEthereumChain') {
      chain = (params as [{ chainId: string }])[0].chainId
      return { answer: null }
    }
    if (method === 'eth_sendTransaction') {
      const [{ to, value, data }] = params as [{ to: Hex; value?: Hex; data?: Hex }]
      const sent = await evm.send(who.stranger, to, { ...(value && { value: BigInt(value) }), data })
      return { answer: sent.hash }
    }
    return { answer: await evm.reader.request({ method, params } as never) }
  })
}

test('a gift made with the wallet button, by hand or through a contract shows the same facts on its page, on its receipt, in its row and on the blockchain', async ({
  page,
}) => {
  const project = await startProject(2)
  try {
    const { evm, who, dollar, backend, site, tell, tick } = project
    const contract = await evm.deploy(who.stranger, contracts.Noise.bytecode)
    const approve = {
      abi: erc20Abi,
      functionName: 'approve',
      args: [contract, parseUnits('1000', 18)],
    } as const
    await evm.send(who.stranger, dollar, { data: encodeFunctionData(approve) })
    // Each account of the local chain starts with the same amount.
    const coinBefore = await evm.reader.getBalance({ address: who.pool.address })
    await warmUp(backend)
    await tell(BigInt(Math.round(coinRate * 10 ** 8)))
    await evm.mine(1)
    // The scheduled work stores the price.
    await tick()
    const asked = await installLocalWallet(page, project)
    const gifts = [
      { to: 'treasury', amount: '1234.56', token: 'USDX', by: 'button' },
      { to: 'education', amount: '0.5', token: 'USDX', by: 'button' },
      { to: 'treasury', amount: '0.5', token: 'BNB', by: 'button' },
      { to: 'education', amount: '1.5', token: 'BNB', by: 'button' },
      { to: 'education', amount: '0.03266', token: 'BNB', by: 'button', offered: '$20 0.03266 BNB' },
      { to: 'treasury', amount: '50', token: 'USDX', by: 'hand', offered: '$50 50 USDX' },
      { to: 'treasury', amount: '100.10', token: 'USDX', by: 'hand' },
      { to: 'education', amount: '7.89', token: 'USDX', by: 'hand' },
      { to: 'treasury', amount: '2.5', token: 'BNB', by: 'hand' },
      { to: 'education', amount: '3.5', token: 'BNB', by: 'hand' },
      { to: 'treasury', amount: '12.34', token: 'USDX', by: 'contract' },
      { to: 'education', amount: '56.78', token: 'USDX', by: 'contract' },
    ] as const
    const hashes: string[] = []
    for (const { to, amount, token, by, ...gift } of gifts) {
      const wallet = to === 'treasury' ? who.treasury.address : who.pool.address
      await page.goto(`${site.url}/donate?to=${to}&token=${token}`)
      if ('offered' in gift) await page.getByRole('link', { name: gift.offered }).click()
      else {
        await page.getByLabel('Other amount').fill(amount)
        await page.getByRole('button', { name: 'Next' }).click()
      }
      const text = `${formatUnits(parseUnits(amount, 18), 18)} ${token}`
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Send ${text}`)
      if (by === 'button') {
        await page.getByRole('button', { name: `Pay ${text}` }).click()
        await expect(page).toHaveURL(/\/donate\/0x[0-9a-f]{64}$/)
        hashes.push(new URL(page.url()).pathname.slice('/donate/'.length))
      } else {
        // The test reads the wallet address from the page, and enters the transaction hash in the form.
        const address = (await page.locator('[data-address]').textContent()) as Hex
        expect(address).toBe(wallet)
        const units = parseUnits(amount, 18)
        const transfer = encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transfer',
          args: [address, units],
        })
        const { hash } = await (by === 'contract'
          ? evm.send(who.stranger, contract, { data: throughContract('pay', [dollar, address, units, 0n]) })
          : token === 'BNB'
            ? evm.send(who.stranger, address, { value: units })
            : evm.send(who.stranger, dollar, { data: transfer }))
        await page.getByLabel('Paste the transaction hash').fill(hash)
        await page.getByRole('button', { name: 'Show' }).click()
        await expect(page).toHaveURL(`${site.url}/donate/${hash}`)
        hashes.push(hash)
      }
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        by === 'button'
          ? `Thank you. Your ${text} is on its way to ${to === 'treasury' ? 'the treasury' : 'Education'}.`
          : "We haven't seen this payment",
      )
    }
    expect(asked.filter(({ method }) => method === 'eth_sendTransaction')).toHaveLength(5)

    // Coins that a contract sends have no event log: the coins arrive, but the ledger does not list them.
    // The coins arrive within a transaction with a contract.
    const within = await evm.send(who.stranger, contract, {
      value: parseUnits('1', 18),
      data: throughContract('passOn', [who.treasury.address]),
    })

    await evm.mine(10)
    await catchUp(project)

    const rate = { USDX: 1, BNB: coinRate }
    const cents = gifts.map(({ amount, token }) => Math.round(Number(amount) * rate[token] * 100))
    const sum = (to: string) =>
      gifts.reduce((all, gift, at) => all + (gift.to === to ? (cents[at] as number) : 0), 0)
    for (const [at, { to, amount, token }] of gifts.entries()) {
      await page.goto(`${site.url}/donate/${hashes[at]}`)
      const name = to === 'treasury' ? 'Treasury' : 'Education Programme'
      await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText(
        `${exactDollars(cents[at] as number)} to ${name}`,
      )
      await expect(page.getByText('Verified on chain')).toBeVisible()
      const text = `${Number(amount).toLocaleString('en-US', { maximumFractionDigits: 18 })} ${token}`
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        `Thank you. Your ${text} has arrived at ${to === 'treasury' ? 'the treasury' : 'Education'}.`,
      )
      const { transactions } = await (
        await page.request.get(`${site.url}/transparency.json?q=${hashes[at]}`)
      ).json()
      expect(transactions).toEqual([
        expect.objectContaining({
          token_amount: parseUnits(amount, 18).toString(),
          token_symbol: token,
          amount_usd: ((cents[at] as number) / 100).toFixed(2),
        }),
      ])
    }
    for (const [to, { address }] of [
      ['treasury', who.treasury],
      ['education', who.pool],
    ] as const) {
      const units = (symbol: string) =>
        gifts
          .filter((gift) => gift.to === to && gift.token === symbol)
          .reduce((all, { amount }) => all + parseUnits(amount, 18), 0n)
      const balanceOf = {
        address: dollar,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [address],
      } as const
      expect(await evm.reader.readContract(balanceOf)).toBe(units('USDX'))
      const coins = to === 'treasury' ? parseUnits('1', 18) : 0n
      expect(await evm.reader.getBalance({ address })).toBe(coinBefore + units('BNB') + coins)
    }
    await page.goto(`${site.url}/donate/${within.hash}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Thank you. Your 1 BNB has arrived at the treasury.',
    )
    const passedOn = Math.round(coinRate * 100)
    await page.goto(`${site.url}/transparency`)
    const figure = (label: string) => page.locator('#figures .stat').filter({ hasText: label })
    await expect(figure('Treasury Balance')).toContainText(formatRoundDollars(sum('treasury') + passedOn))
    await expect(figure('Total Donated')).toContainText(formatRoundDollars(sum('education')))
    await expect(page.locator('[data-history-sum]')).toContainText(
      `13 of 13 payments counted: ${dollars(sum('treasury') + sum('education') + passedOn)} in, `,
    )
    await page.goto(`${site.url}/voting/education`)
    await expect(page.locator('#sums dl > div').filter({ hasText: 'Given to this pool' })).toContainText(
      dollars(sum('education')),
    )
    // If the site closed first, the browser would report the reset of the page's socket in its console.
    await page.goto('about:blank')
  } finally {
    await project.close()
  }
})

test('the total of a goal includes gifts made with the wallet button and by hand, and the goal page lists each gift', async ({
  page,
}) => {
  const project = await startProject(1)
  const { evm, who, dollar, backend, tick, variables } = project
  await warmUp(backend)
  const site = await startSite(backend, { ...variables, FUNDME_OPEN: '1', PAGE_CACHE: 'off' })
  try {
    const goal = await addGoal(backend)
    await installLocalWallet(page, project)
    await evm.mine(1)
    const main = page.getByRole('main')
    await page.goto(`${site.url}/giveback/${goal.slug}`)
    await main.getByRole('link', { name: 'Give', exact: true }).click()
    await main.getByRole('link', { name: /^\$20/ }).click()
    await page.getByRole('button', { name: 'Pay 20 USDX' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Thank you. Your 20 USDX is on its way to School coats.',
    )
    const byButton = page.url()

    await page.goto(`${site.url}/donate?to=${goal.slug}&token=USDX&amount=5.25`)
    const address = (await page.locator('[data-address]').textContent()) as Hex
    const args = [address, parseUnits('5.25', 18)] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    const { hash } = await evm.send(who.stranger, dollar, { data })
    await page.getByLabel('Paste the transaction hash').fill(hash)
    await page.getByRole('button', { name: 'Show' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText("We haven't seen this payment")
    await evm.mine(10)
    await tick(site)
    await tick(site)

    for (const [receipt, amount] of [
      [byButton, '20'],
      [`${site.url}/donate/${hash}`, '5.25'],
    ] as const) {
      await page.goto(receipt)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        `Thank you. Your ${amount} USDX has arrived at School coats.`,
      )
    }
    await page.goto(`${site.url}/giveback/${goal.slug}`)
    await expect(main).toContainText('$25.25 of $1,000')
    const gifts = main.getByRole('region', { name: 'Gifts' }).getByRole('listitem')
    await expect(gifts).toContainText([/\$5\.25.*Verified on chain/, /\$20\.00.*Verified on chain/])
    await page.goto('about:blank')
  } finally {
    await site.close()
    await project.close()
  }
})

/** The data of a call to the contract. */
function throughContract(functionName: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: contracts.Noise.abi, functionName, args })
}

/** Formats cents as '$1,234.50' or '$20'. */
function dollars(cents: number): string {
  return exactDollars(cents).replace('.00', '')
}

/** Formats cents as '$1,234.50' or '$20.00'. */
function exactDollars(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
}
