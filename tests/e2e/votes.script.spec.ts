import type { Page } from '@playwright/test'
import { type Hex, hexToString } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import '../support/cheap-passwords.ts'
import { addSplit, openTestVote } from '../support/votes.ts'
import { expect, expectToast, startMember, test } from './fixtures.ts'
import { startVotingSite } from './voting-site.ts'

/** How the wallet answers a request to sign: with a signature, with an error code, with another wallet's signature, or never. */
type Answer = 'signs' | 'other' | 'hangs' | 4001 | -32002 | 4900 | -32603

async function installWallet(page: Page) {
  const [own, other] = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAccount(key))
  if (!own || !other) throw new Error('There is no key')
  const wallet = { address: own.address, answer: 'signs' as Answer, accounts: [own.address] as string[] }
  await page.exposeFunction('askWallet', async (method: string, params: unknown[] = []) => {
    if (method === 'eth_requestAccounts') return { answer: wallet.accounts }
    // It is on another chain than the token. The page never asks for it, because a message belongs to no chain.
    if (method === 'eth_chainId') throw new Error('The page asks for the chain')
    if (method !== 'personal_sign') return { code: 4200 }
    if (wallet.answer === 'hangs') return new Promise(() => {})
    if (typeof wallet.answer === 'number') return { code: wallet.answer }
    const message = hexToString(params[0] as Hex)
    return { answer: await (wallet.answer === 'signs' ? own : other).signMessage({ message }) }
  })
  await page.addInitScript(() => {
    type Ask = (method: string, params?: unknown[]) => Promise<{ answer?: unknown; code?: number }>
    const { askWallet } = window as unknown as { askWallet: Ask }
    const request = async ({ method, params }: { method: string; params?: unknown[] }) => {
      const { answer, code } = await askWallet(method, params)
      if (code) throw Object.assign(new Error('refused'), { code })
      return answer
    }
    Object.assign(window, { ethereum: { request } })
  })
  return wallet
}

test('a wallet of this browser signs a ballot, which needs its JavaScript interface, and each refusal has a sentence', async ({
  page,
  context,
}) => {
  test.slow()
  const { backend, url, slug, close } = await startVotingSite()
  const wallet = await installWallet(page)
  await startMember(context, url)
  const main = page.getByRole('main')
  const path = `${url}/giveback/${slug}/vote`
  await page.clock.install()
  await page.goto(path)
  const sign = main.getByRole('button', { name: 'Sign with your wallet' })
  await sign.click()
  await expect(main.getByText('Choose Support or Against first.')).toBeVisible()
  await main.getByLabel('Support').check()
  const refusals: [Answer, string][] = [
    [4001, 'You cancelled in your wallet. Nothing was signed.'],
    [-32002, 'Your wallet is already asking you something. Please check it.'],
    [4900, 'Your wallet lost its connection. Please try again.'],
    [-32603, 'Something went wrong in your wallet. Please try again.'],
  ]
  for (const [answer, sentence] of refusals) {
    wallet.answer = answer
    await sign.click()
    await expect(main.getByText(sentence)).toBeVisible()
  }
  wallet.answer = 'hangs'
  await sign.click()
  await expect(main.getByText('Your wallet shows the text and asks you to sign it.')).toBeVisible()
  await page.clock.fastForward(30_000)
  await expect(main.getByText("Your wallet hasn't answered yet. Please check it, or sign")).toBeVisible()
  await expect(main.getByLabel('Support')).toBeChecked()

  wallet.accounts = []
  await sign.click()
  await expect(main.getByText("Your wallet didn't share an account.")).toBeVisible()
  wallet.accounts = [wallet.address]

  wallet.answer = 'other'
  await sign.click()
  await expect(main.getByLabel('Signature')).toHaveAccessibleDescription(/was made by another wallet: 0x/)
  await expect(main.getByLabel('Support')).toBeChecked()

  wallet.answer = 'signs'
  await sign.click()
  await expectToast(page, 'status', 'Success', 'Vote submitted! Thank you for supporting this cause.')
  expect(await backend.sql('select wallet, choice from public.fundme_ballots')).toEqual([
    { wallet: wallet.address.toLowerCase(), choice: 'support' },
  ])

  const split = await addSplit(backend, 3_600)
  await openTestVote(backend, split)
  await page.goto(`${url}/giveback/${split}/vote`)
  const shares = {
    ...{ Education: 50, 'Humanitarian Relief': 10, 'Animal Welfare': 10 },
    ...{ 'CZ Call': 10, 'FundMe winners': 10, Reserve: 20 },
  }
  for (const [name, share] of Object.entries(shares)) await main.getByLabel(name).fill(`${share}`)
  await sign.click()
  await expect(main.getByText('Enter whole percentages that add up to 100.')).toBeVisible()
  await main.getByLabel('Education').fill('40')
  await sign.click()
  await expectToast(page, 'status', 'Success', 'Vote submitted!')
  await expect(
    main.getByText('Education 40%, Humanitarian Relief 10%, Animal Welfare 10%, CZ Call 10%'),
  ).toBeVisible()
  expect(await backend.sql(`select choice from public.fundme_ballots where choice <> 'support'`)).toEqual([
    { choice: '40 10 10 10 10 20' },
  ])
  await page.goto('about:blank')
  await close()
})

test('the browser counts a vote again, names a changed ballot, can be cancelled', async ({ page, sites }) => {
  const path = `${sites.demo}/giveback/goal-jnmqrvtb/votes`
  await page.goto(path)
  const place = page.locator('[data-recount]')
  const result = place.getByRole('status')
  const count = place.getByRole('button', { name: 'Count again in this browser' })
  await count.click()
  await expect(result).toContainText(
    /^It matches what we published\. Your browser checked the signatures of 14 ballots and counted them again, .* Support: [\d,]+ tokens\. Against: [\d,]+ tokens\. The vote was won\. Not checked: whether each wallet held so many tokens at the block that counts /,
  )
  await expect(result).toHaveClass(/border-good/)
  await expect(count).toBeFocused()

  const file = await (await page.request.get(`${path}.ndjson`)).text()
  await page.route('**/votes.ndjson', (route) =>
    route.fulfill({ body: file.replace('"against"', '"support"') }),
  )
  await count.click()
  await expect(result).toContainText(
    /^Something is wrong with this vote\. .*Entry \d+ about the vote on goal-jnmqrvtb is not the one in the signed log\.$/,
  )
  await expect(result).toHaveClass(/border-bad/)
  await page.unrouteAll()

  // Only the first three ballots, and a result that no one signed.
  const lines = file.split('\n').filter(Boolean)
  const [first] = lines.flatMap((line, at) => (line.includes('"kind":"ballot"') ? [at] : []))
  const unsigned = {
    kind: 'result',
    recorded_at: '2026-01-01T00:00:00.000000Z',
    goal: 'goal-jnmqrvtb',
    won: true,
  }
  const forged = [...lines.slice(0, (first ?? 0) + 3), JSON.stringify({ index: 999_999, entry: unsigned })]
  await page.route('**/votes.ndjson', (route) => route.fulfill({ body: `${forged.join('\n')}\n` }))
  await count.click()
  await expect(result).toContainText(
    /^Your browser checked the signatures of 3 ballots and counted them again, .* tokens\. There is no signed result\. Ballots after number 3, .* Not signed yet, and not counted: 1 entry of this vote\. Not checked: /,
  )
  await expect(result).not.toContainText('won')
  await expect(result).toHaveClass(/border-edge/)
  await page.unrouteAll()

  // All entries but the signed result: they are right, and nothing says how the vote ended.
  await page.route('**/votes.ndjson', (route) =>
    route.fulfill({ body: `${lines.slice(0, -1).join('\n')}\n` }),
  )
  await count.click()
  await expect(result).toContainText(
    /^Your browser checked the signatures of 14 ballots and counted them again, .* There is no signed result\. Ballots/,
  )
  await expect(result).toHaveClass(/border-edge/)
  await page.unrouteAll()

  await page.route('**/votes.ndjson', () => {})
  await count.click()
  await place.getByRole('button', { name: 'Cancel' }).click()
  await expect(result).toHaveText("Cancelled. We didn't finish checking.")
  await expect(count).toBeFocused()
  await page.unrouteAll()

  await page.goto(`${sites.demo}/giveback/split-1/votes`)
  await count.click()
  await expect(result).toContainText(
    /^It matches what we published\. Your browser checked the signatures of 10 ballots and counted them again, .* The mean by weight: Education 36\.1%, .* Reserve 11\.2%\. The result is valid\./,
  )
})
