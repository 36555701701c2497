/** Wallets in the browser need JavaScript. tests/chain/payer.test.ts has the walk without it. */
import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { mailboxVariables } from '../../supabase/embedded/mailbox.ts'
import { chainId } from '../chain/evm.ts'
import { contracts, dollars, startProject } from '../chain/project.ts'
import { catchUp } from '../chain/truth.ts'
import '../support/cheap-passwords.ts'
import { readMails } from '../support/mails.ts'
import { startSite, warmUp } from '../support/site.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { nextMail } from './mailbox.ts'
import { openAs } from './operator-page.ts'
import { installProvider } from './provider.ts'

test('two operators order a payment, the wallet of its owners approves exactly the allowance, and the site pays: everyone and the followers see each step', async ({
  browser,
  page: reader,
}) => {
  test.slow()
  const project = await startProject()
  const { backend, evm, who, dollar, variables } = project
  await warmUp(backend)
  await project.pay(who.stranger, who.treasury, dollars(1_000))
  await evm.mine(6)
  await project.tell(61_234_000_000n)
  await catchUp(project)
  const key = generatePrivateKey()
  const payer = privateKeyToAccount(key)
  await evm.control.setBalance({ address: payer.address, value: 10n ** 18n })
  const site = await startSite(backend, {
    ...{ ...variables, PAYER_KEY: key, PAGE_CACHE: 'off', ...mailboxVariables(backend.mailUrl) },
  })
  await project.tick(site)
  const options = { baseURL: site.url }
  const [ada, ben] = [
    await openAs(browser, backend, 'ada', options),
    await openAs(browser, backend, 'ben', options),
  ]
  const press = (page: typeof ada, name: string) =>
    page.getByRole('main').getByRole('button', { name, exact: true }).click()

  const email = 'reader@example.org'
  await reader.goto(`${site.url}/voting/education`)
  await reader.getByLabel('Email address').fill(email)
  await reader.getByRole('button', { name: 'Follow Education' }).click()
  await expect(reader.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
  await project.tick(site)
  const { text: request } = await nextMail(backend.mailUrl, email)
  await reader.goto(/^http\S+\/follow\/confirm\S*$/m.exec(request)?.[0] ?? '')
  await reader.getByRole('button', { name: 'Confirm' }).click()
  await expect(reader.getByRole('status')).toContainText('You follow Education.')

  // Ada proposes, and Ben confirms.
  await ada.goto('/operator')
  await ada.getByRole('link', { name: 'Order a payment' }).click()
  await ada.getByRole('main').getByRole('link', { name: 'Treasury', exact: true }).click()
  await ada.locator(`main [name=to][value="${who.pool.address}" i]`).check()
  await ada.getByLabel('Amount').fill('7')
  await ada.getByLabel('Type').selectOption('donation')
  await ada.getByLabel('Purpose').fill('Desks for a school')
  await press(ada, 'Save and check')
  await expectAccessible(ada, true)
  await press(ada, 'Ask for a second operator')
  await ben.goto('/operator')
  await ben.getByRole('region', { name: 'Wait for a second person' }).getByRole('link').click()
  await expect(ben.getByRole('main')).toContainText('Desks for a school')
  for (const tick of await ben.getByRole('main').getByRole('checkbox').all()) await tick.check()
  await press(ben, 'Confirm')
  await expect(ben.getByRole('main')).toContainText('Done by ada, confirmed by ben')
  await reader.goto(`${site.url}/transparency/orders`)
  const order = reader.locator('#order-list li').filter({ hasText: 'Desks for a school' })
  await expect(order).toContainText(/\$7\.00.*Announced to Education.*Approved by ada and ben/s)
  await ada.goto('/operator/new/update')
  await ada.getByLabel('Pool').selectOption('education')
  await ada.getByLabel('Text').fill('Forty desks are ordered.')
  await press(ada, 'Save and check')
  await press(ada, 'Publish')
  await expect(ada.getByRole('heading', { level: 1, name: 'Published an update' })).toBeVisible()
  await project.tick(site)
  await expect
    .poll(async () => (await readMails(backend.mailUrl, email))[0]?.text)
    .toMatch(/7 USDX .*Education/)

  // The wallet of the treasury's owners: it declines, and then sends what the page asks.
  const account = who.treasury.address
  let isDeclining = true
  const requests = await installProvider(ada, async (method, params) => {
    const [call] = params as [{ to: Hex; data: Hex }]
    if (method === 'eth_requestAccounts') return { answer: [account] }
    if (method === 'eth_chainId') return { answer: `0x${chainId.toString(16)}` }
    if (method === 'eth_call') return { answer: (await evm.reader.call({ account, ...call })).data }
    if (method === 'eth_estimateGas') return { answer: '0xffff' }
    if (method !== 'eth_sendTransaction') return { code: 4200 }
    if (isDeclining) return { code: 4001 }
    return { answer: (await evm.send(who.treasury, call.to, { data: call.data })).hash }
  })
  await ada.goto('/operator/payments')
  await ada.getByRole('link', { name: 'Approve an allowance' }).click()
  await ada.getByLabel('Token and wallet').selectOption('treasury USDX')
  await ada.getByLabel('Allowance', { exact: true }).fill('100')
  await press(ada, 'Show how')
  const approve = ada.getByRole('button', { name: 'Approve 100 USDX' })
  const status = ada.getByRole('main').getByRole('status')
  await expectAccessible(ada, true)
  await approve.click()
  await expect(status).toHaveText(/^You cancelled in your wallet\. Nothing was sent\./)
  isDeclining = false
  await approve.click()
  await expect(status).toHaveText(/^Sent\. This page shows the new allowance/)
  const sent = requests.filter(({ method }) => method === 'eth_sendTransaction').map(({ params }) => params)
  const args = [payer.address, dollars(100)]
  const data = encodeFunctionData({ abi: contracts.Token.abi, functionName: 'approve', args })
  const asked = { from: account, to: expect.stringMatching(new RegExp(`^${dollar}$`, 'i')), data }
  expect(sent).toEqual([[asked], [asked]])
  const plain = await browser.newContext({ ...options, javaScriptEnabled: false })
  await plain.addCookies(await ada.context().cookies())
  const still = await plain.newPage()
  await still.goto(ada.url())
  await expect(still.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  await expect(still.getByRole('link', { name: 'Download for Safe' })).toBeVisible()
  await expect(still.getByText(data)).toBeVisible()
  await plain.close()

  // The notice is over, and the site pays.
  await evm.mine(1)
  await backend.sql(`do $$ begin
    set local session_replication_role = replica;
    update public.orders set
      announced_at = announced_at - (due_at - now() + interval '6 hours'), due_at = now() - interval '6 hours';
  end $$`)
  for (let round = 0; round < 4; round++) {
    await project.tick(site)
    await evm.mine(6)
  }
  await reader.goto(`${site.url}/transparency/orders`)
  await expect(order).toContainText(/Paid on .* after its approval\./s)
  const files = await Promise.all(
    ['csv', 'json'].map(async (file) =>
      (await reader.request.get(`${site.url}/transparency/orders.${file}`)).text(),
    ),
  )
  expect(files[0]).toMatch(/^\d+,paid,treasury,/m)
  expect(JSON.parse(files[1] ?? '').orders).toMatchObject([
    { state: 'paid', approved_by: 'ada', approved_second: 'ben' },
  ])
  await order.getByRole('link', { name: 'Desks for a school' }).click()
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('$7.00 to Education Programme')
  await expect(reader.getByRole('main')).toContainText('Desks for a school')
  await expectAccessible(reader, true)
  // A live page would report that its server is gone.
  await reader.goto('about:blank')
  await site.close()
  await project.close()
})
