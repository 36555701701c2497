import { type Hex, hexToString } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import '../support/cheap-passwords.ts'
import { startSite, warmUp } from '../support/site.ts'
import { startTemporary, transaction } from '../support/temporary-backend.ts'
import { expect, expectAccessible, expectToast, test } from './fixtures.ts'
import { installProvider } from './provider.ts'

test('holders show their keys, one by hand and one with a wallet of this browser, which needs its JavaScript interface and answers about a payment too', async ({
  page,
  browser,
}) => {
  test.slow()
  const backend = await startTemporary()
  await warmUp(backend)
  const [own, other] = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAccount(key))
  if (!own || !other) throw new Error('There is no key')
  const wallet = `0x${'7'.repeat(40)}`
  const site = await startSite(backend, {
    ...{ SUPABASE_SECRET_KEY: backend.secretKey, PAGE_CACHE: 'off', TREASURY_WALLET: wallet },
  })
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([transaction({})])])
  const owners = [own, other].map(({ address }) => address.toLowerCase()).sort()
  const control = {
    chain_id: 56,
    wallet,
    control: 'safe',
    version: '1.4.1',
    owners,
    threshold: 2,
    modules: [],
  }
  await backend.sql('select public.record_controls($1)', [JSON.stringify([{ ...control, block_number: 9 }])])

  await installProvider(page, async (method, params) => {
    if (method === 'eth_requestAccounts') return { answer: [own.address] }
    if (method !== 'personal_sign') return { code: 4200 }
    return { answer: await own.signMessage({ message: hexToString(params[0] as Hex) }) }
  })
  const path = `${site.url}/transparency/wallets/sign`
  await page.goto(path)
  const main = page.getByRole('main')
  await expect(main.getByText('No key of this wallet has signed yet.')).toBeVisible()
  await expectAccessible(page, true)
  await main.getByLabel('Treasury').check()
  await main.getByRole('button', { name: 'Sign with your wallet' }).click()
  await expectToast(
    page,
    'status',
    'Success',
    'Your signature is in the log. Thank you. It is due again in 30 days.',
  )
  await expect(main.getByText('1 of 2 keys signed, last today.')).toBeVisible()

  // The same wallet was paid, and answers whether the payment arrived.
  const paid = transaction({
    ...{
      occurred_at: new Date(Date.now() - 3_600_000).toISOString(),
      account: 'education',
      type: 'spending',
    },
    ...{ direction: 'out', to_address: own.address.toLowerCase(), pool_slug: 'education' },
  })
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([paid])])
  const [row] = await backend.sql<{ id: number }>(
    `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, confirmations)
     select id, 'verified', 9, tx_hash, 20 from public.transactions where tx_hash = $1 returning transaction_id::int as id`,
    [paid.tx_hash],
  )
  await page.goto(`${site.url}/transparency/${row?.id}/arrived`)
  await main.getByLabel('Yes, it arrived').check()
  await main.getByRole('button', { name: 'Show the text' }).click()
  await expectAccessible(page, true)
  await main.getByRole('button', { name: 'Sign with your wallet' }).click()
  await expect(page.getByRole('heading', { name: 'Your answer' })).toBeVisible()
  await expect(main.getByText('confirmed by the recipient: the wallet that was paid signed it')).toBeVisible()

  const plain = await browser.newContext({ javaScriptEnabled: false })
  const byHand = await plain.newPage()
  await byHand.goto(path)
  await byHand.getByLabel('Treasury').check()
  await byHand.getByLabel('Wallet Address').fill(other.address)
  await byHand.getByRole('button', { name: 'Show the text' }).click()
  const text = await byHand.getByLabel('Text', { exact: true }).inputValue()
  await byHand.getByLabel('Signature').fill(await own.signMessage({ message: text }))
  await byHand.getByRole('button', { name: 'Show the key' }).click()
  await expect(
    byHand.getByText(`This signature was made by another wallet: ${own.address}.`).first(),
  ).toBeVisible()
  await byHand.getByLabel('Signature').fill(await other.signMessage({ message: text }))
  await byHand.getByRole('button', { name: 'Show the key' }).click()
  await expect(byHand.getByRole('main').getByText('2 of 2 keys signed, last today.')).toBeVisible()
  await plain.close()
  await Promise.all([site.close(), backend.close()])
})
