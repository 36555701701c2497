/** The treasury is a Safe of the published contracts. Its owners execute the files that operators download. */
import { fileURLToPath } from 'node:url'
import multiSend from '@safe-global/safe-contracts/build/artifacts/contracts/libraries/MultiSendCallOnly.sol/MultiSendCallOnly.json' with {
  type: 'json',
}
import proxyFactory from '@safe-global/safe-contracts/build/artifacts/contracts/proxies/SafeProxyFactory.sol/SafeProxyFactory.json' with {
  type: 'json',
}
import singleton from '@safe-global/safe-contracts/build/artifacts/contracts/Safe.sol/Safe.json' with {
  type: 'json',
}
import {
  type Abi,
  concat,
  encodeFunctionData,
  encodePacked,
  type Hex,
  type PrivateKeyAccount,
  size,
  zeroAddress,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wordsOf } from '../support/operator-forms.ts'
import { addOperator, nameByTwo } from '../support/operators.ts'
import { insertOrder } from '../support/orders.ts'
import { type Site, startSite } from '../support/site.ts'
import { documentOf, sessionCookie, Visitor } from '../support/visitor.ts'
import { chainId } from './evm.ts'
import { contracts, dollars, type Project, startProject } from './project.ts'

interface Batch {
  chainId: string
  meta: { createdFromSafeAddress: string; description: string }
  transactions: {
    to: Hex
    contractMethod: { name: string; inputs: { name: string; type: string }[] }
    contractInputsValues: Record<string, string>
  }[]
}

let project: Project
let site: Site
beforeAll(async () => {
  project = await startProject()
})
afterAll(async () => {
  await site?.close()
  await project?.close()
})

/** Deploys a Safe of two owners, who must both sign. Returns its address, and how they execute a downloaded file. */
async function deploySafe({ evm, who }: Project) {
  const by = who.stranger
  const deploy = async ({ bytecode }: { bytecode: string }): Promise<Hex> => {
    const { hash } = await evm.send(by, null, { data: bytecode as Hex, gas: 10_000_000n })
    await evm.mine(1)
    const { contractAddress } = await evm.reader.getTransactionReceipt({ hash })
    if (!contractAddress) throw new Error('The contract was not made')
    return contractAddress
  }
  const [master, factory, sender] = [
    await deploy(singleton),
    await deploy(proxyFactory),
    await deploy(multiSend),
  ]
  const owners: [PrivateKeyAccount, PrivateKeyAccount] = [await evm.newAccount(), await evm.newAccount()]
  owners.sort((one, other) => (one.address.toLowerCase() < other.address.toLowerCase() ? -1 : 1))
  const abi = singleton.abi as Abi
  const setup = [
    owners.map(({ address }) => address),
    2n,
    zeroAddress,
    '0x',
    zeroAddress,
    zeroAddress,
    0n,
    zeroAddress,
  ]
  const initializer = encodeFunctionData({ abi, functionName: 'setup', args: setup })
  /** Makes a proxy of the contract `of`, with the same owners. Returns its address. */
  const makeProxy = async (of: Hex) => {
    const make = {
      ...{ abi: proxyFactory.abi as Abi, functionName: 'createProxyWithNonce', args: [of, initializer, 1n] },
    }
    const { result } = await evm.reader.simulateContract({ ...make, address: factory, account: by })
    await evm.send(by, factory, { data: encodeFunctionData(make) })
    await evm.mine(1)
    return result as Hex
  }
  const safe = await makeProxy(master)
  const execute = async ({ transactions }: Batch) => {
    const calls = transactions.map(
      ({ to, contractMethod: { name, inputs }, contractInputsValues: values }) => ({
        to,
        data: encodeFunctionData({
          abi: [{ type: 'function', name, inputs, outputs: [], stateMutability: 'nonpayable' }],
          args: inputs.map((input) => values[input.name]),
        }),
      }),
    )
    const [first] = calls
    if (!first) throw new Error('no transaction')
    const packed = concat(
      calls.map(({ to, data }) =>
        encodePacked(
          ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
          [0, to, 0n, BigInt(size(data)), data],
        ),
      ),
    )
    const all = { abi: multiSend.abi as Abi, functionName: 'multiSend', args: [packed] }
    const [to, data, operation] =
      calls.length === 1 ? [first.to, first.data, 0] : [sender, encodeFunctionData(all), 1]
    const nonce = await evm.reader.readContract({ abi, address: safe, functionName: 'nonce' })
    const call = [to, 0n, data, operation, 0n, 0n, 0n, zeroAddress, zeroAddress] as const
    const hash = (await evm.reader.readContract({
      ...{ abi, address: safe, functionName: 'getTransactionHash', args: [...call, nonce] },
    })) as Hex
    const signatures = concat(await Promise.all(owners.map((owner) => owner.sign({ hash }))))
    const execution = { abi, functionName: 'execTransaction', args: [...call, signatures] }
    const sent = await evm.send(by, safe, { data: encodeFunctionData(execution) })
    await evm.mine(6)
    return (await evm.reader.getTransactionReceipt({ hash: sent.hash })).status
  }
  return { safe, owners, deploy, makeProxy, execute }
}

test('the owners of a Safe are read from its known code alone, a change is an entry, and an old reading says its age', async () => {
  const { evm, backend, who, dollar } = project
  const { safe, owners, deploy, makeProxy, execute } = await deploySafe(project)
  // It answers as a Safe does, and one byte of its code differs. The first bytes return the others as the code.
  const copy = `0x600b5981380380925939f3${singleton.deployedBytecode.slice(2, -2)}00`
  const impostor = await makeProxy(await deploy({ bytecode: copy }))
  const abi = singleton.abi as Abi
  const answer = await evm.reader.readContract({ abi, address: impostor, functionName: 'getOwners' })
  expect(answer).toHaveLength(2)
  await evm.mine(6)
  const single = await evm.newAccount()
  const holder = single.address
  const wallets = { TREASURY_WALLET: safe, DONATION_WALLET: holder, POOL_WALLET_EDUCATION: impostor }
  site = await startSite(backend, { ...project.variables, ...wallets, PAGE_CACHE: 'off' })
  const controls = () =>
    backend.sql<{ wallet: string; control: string; owners: string[]; modules: string[]; threshold: number }>(
      'select wallet, control, owners, modules, threshold from public.wallet_controls where wallet = any ($1) order by id',
      [Object.values(wallets).map((wallet) => wallet.toLowerCase())],
    )
  const readAgain = async () => {
    await backend.sql("update private.control_reads set read_at = now() - interval '3 hours'")
    await project.tick(site)
  }
  await project.tick(site)
  const keys = owners.map(({ address }) => address.toLowerCase()).sort()
  const read = [
    { wallet: safe.toLowerCase(), control: 'safe', owners: keys, modules: [], threshold: 2 },
    { wallet: holder.toLowerCase(), control: 'key', owners: [], modules: [], threshold: null },
    { wallet: impostor.toLowerCase(), control: 'contract', owners: [], modules: [], threshold: null },
  ]
  expect((await controls()).toSorted((a, b) => (a.control < b.control ? 1 : -1))).toEqual([
    read[0],
    read[1],
    read[2],
  ])
  // An unchanged wallet has no second entry.
  await readAgain()
  expect(await controls()).toHaveLength(3)

  const module = `0x${'9'.repeat(40)}`
  const enable = {
    to: safe,
    contractMethod: { name: 'enableModule', inputs: [{ name: 'module', type: 'address' }] },
    contractInputsValues: { module },
  }
  expect(await execute({ transactions: [enable] } as never)).toBe('success')
  await readAgain()
  expect((await controls()).at(-1)).toEqual({ ...read[0], modules: [module] })
  const page = wordsOf(await new Visitor(site.url).get('/transparency/wallets'))
  expect(page).toContain('2 of 2 keys must sign together. 1 module can move it without the owners.')
  expect(page).toContain('One key holder: this person alone could move the money.')
  expect(page).toContain("This contract is not known to us, so we can't say who can move the money.")
  expect(page).not.toContain('We could not read since')
  expect(wordsOf(await new Visitor(site.url).get('/about'))).toContain(
    "1 can be moved by one key alone, and 0 only by several keys together. For 2 of them we can't say who can move the money.",
  )
  expect(wordsOf(await new Visitor(site.url).get('/voting/education'))).toContain(
    'This contract is not known to us',
  )

  // What another address may spend is an entry too, at each change that the ledger's payments do not explain.
  const spender = await evm.newAccount()
  const approve = async (amount: bigint) => {
    const args = [spender.address, amount]
    await evm.send(single, dollar, {
      data: encodeFunctionData({ abi: contracts.Token.abi, functionName: 'approve', args }),
    })
    await evm.mine(6)
    await readAgain()
  }
  const allowed = () =>
    backend.sql<{ amount: string | null }>(
      "select allowances -> 0 ->> 'amount' as amount from public.wallet_controls where wallet = $1 order by id",
      [holder.toLowerCase()],
    )
  const words = async () => wordsOf(await new Visitor(site.url).get('/transparency/wallets'))
  await approve(dollars(500))
  expect(await words()).toContain('Another address may spend 500 USDX of it without these keys.')
  expect(wordsOf(await new Visitor(site.url).get('/about'))).toContain(
    "0 can be moved by one key alone, and 0 only by several keys together. For 3 of them we can't say",
  )
  await approve(dollars(100))
  await project.pay(who.stranger, single, dollars(1_000))
  await evm.mine(6)
  const take = [holder, spender.address, dollars(30)]
  await evm.send(spender, dollar, {
    data: encodeFunctionData({ abi: contracts.Token.abi, functionName: 'transferFrom', args: take }),
  })
  await evm.mine(6)
  await readAgain()
  expect(await words()).toContain('Another address may spend 70 USDX of it')
  for (const endpoint of project.endpoints) endpoint.fault = 'serves no logs'
  await backend.sql("update private.control_reads set allowances_at = now() - interval '3 hours'")
  await approve(dollars(100))
  for (const endpoint of project.endpoints) endpoint.fault = 'none'
  expect(await words()).toMatch(
    /What others may spend of it was not read since \d+ .* Then: Another address may spend 70/,
  )
  await readAgain()
  await approve(2n ** 256n - 1n)
  expect(await words()).toContain(
    'Another address may spend USDX of it without these keys and without a limit.',
  )
  const unlimited = `${2n ** 256n - 1n}`
  const amounts = [null, dollars(500), dollars(100), dollars(100), unlimited]
  expect(await allowed()).toEqual(amounts.map((amount) => ({ amount: amount === null ? null : `${amount}` })))
  // Each change is a mail to operators, which says it.
  const [fact] = await backend.sql<{ content: { former: object; now: object } }>(
    `select private.fact_content(outbox) as content from private.outbox where kind = 'custody' order by id desc limit 1`,
  )
  const may = (amount: bigint | string) => ({
    allowances: [
      {
        token: dollar,
        symbol: 'USDX',
        decimals: 18,
        spender: spender.address.toLowerCase(),
        amount: `${amount}`,
      },
    ],
  })
  expect(fact?.content).toMatchObject({ former: may(dollars(100)), now: may(unlimited) })

  // Each owner shows a key by hand, without an account and without script.
  const visitor = new Visitor(site.url)
  const [owner, other] = owners
  const path = '/transparency/wallets/sign'
  const textFor = async (wallet: string, address: string) => {
    const query = new URLSearchParams({ wallet, address })
    const page = await visitor.get(`${path}?${query}`)
    return documentOf(page).querySelector('textarea[name=text]')?.text ?? ''
  }
  const handIn = (wallet: string, by: PrivateKeyAccount, text: string, signature: string) =>
    visitor.post(path, { wallet, address: by.address, text, signature })
  const show = async (wallet: string, by: PrivateKeyAccount, of = by) => {
    const text = await textFor(wallet, of.address)
    return handIn(wallet, of, text, await by.signMessage({ message: text }))
  }
  const refused = async (
    answer: Promise<Awaited<ReturnType<typeof show>>>,
    sentence: string,
    status = 400,
  ) => {
    const page = await answer
    expect([page.status, wordsOf(page)]).toEqual([status, expect.stringContaining(sentence)])
  }
  const text = await textFor('treasury', owner.address)
  expect(text).toContain(
    `Wallet: ${safe}\nSigner: ${owner.address}\nDate: ${new Date().toISOString().slice(0, 10)}\n`,
  )
  const signature = await owner.signMessage({ message: text })
  await refused(
    show('treasury', other, owner),
    `This signature was made by another wallet: ${other.address}.`,
  )
  await refused(show('treasury', single), "This key can't sign for this wallet now, so nothing was counted.")
  await refused(show('donation-wallet', owner), "This key can't sign for this wallet now")
  await refused(show('education', owner), 'This contract is not known to us')
  await refused(
    handIn('donation-wallet', owner, text, signature),
    "This isn't the text of today that we asked for.",
  )
  for (const changed of [
    text.replace(/Date: .*/, 'Date: 2026-01-01'),
    text.replace(/Date: .*/, 'Date: 2099-01-01'),
    text.replace(/Chain: .*/, 'Chain: 1'),
    text.replace(/Site: .*/, 'Site: other.example'),
    text.replace(/[0-9a-f]{64}/, 'ab'.repeat(32)),
    text.replace('moves no money', 'moves money'),
    '',
  ])
    await refused(
      handIn('treasury', owner, changed, await owner.signMessage({ message: changed })),
      "This isn't the text of today that we asked for.",
    )
  await refused(handIn('treasury', owner, text, '0x12'), 'A signature starts with 0x and has 132 characters.')
  await refused(
    handIn('treasury', owner, text, `0x${'f'.repeat(130)}`),
    "This isn't the signature of a wallet with a key.",
  )
  const signatures = () =>
    backend.sql<{ signer: string }>('select signer from public.custody_signatures order by id')
  expect(await signatures()).toEqual([])
  // Two presses at the same time: one is kept, and the other is told so.
  const presses = await Promise.all([1, 2].map(() => handIn('treasury', owner, text, signature)))
  expect(presses.map(({ status }) => status).toSorted()).toEqual([303, 400])
  await refused(handIn('treasury', owner, text, signature), 'This key signed for this wallet today already.')
  await refused(show('treasury', owner), 'This key signed for this wallet today already.')
  expect((await show('donation-wallet', single)).status).toBe(303)
  expect(await signatures()).toEqual(
    [owner, single].map(({ address }) => ({ signer: address.toLowerCase() })),
  )
  const shown = wordsOf(await new Visitor(site.url).get(`${path}?wallet=treasury`))
  expect(shown).toContain('1 of 2 keys signed, last today.')
  expect(shown).toContain('1 of 1 key signed, last today.')
  // The verifier accepts them, and the chain has these owners.
  const { checkExport, checkCustodyOnChain } = await import(
    fileURLToPath(new URL('../../public/verify-ledger.mjs', import.meta.url))
  )
  const entries = await backend.sql<{ entry: string }>(
    "select entry from public.published_entries where log = 'ledger' order by index",
  )
  const [log] = await backend.sql<{ root: string }>("select public.log_root('ledger', $1) as root", [
    entries.length,
  ])
  const latest = { size: entries.length, root: Buffer.from(log?.root ?? '', 'base64'), title: 'the test' }
  const lines = entries.map(({ entry }) => Buffer.from(`${entry}\n`))
  const { shown: keysShown, controls: named } = await checkExport(lines, latest)
  expect(keysShown).toBe(2)
  await expect(checkCustodyOnChain(named, evm.url)).resolves.toBe(named.size)
  const [key, found] = [...named].find(([, { facts }]) => facts.control === 'safe')
  for (const forged of [{ threshold: 1 }, { owners: [holder.toLowerCase()] }, { control: 'key' }])
    await expect(
      checkCustodyOnChain(new Map([[key, { ...found, facts: { ...found.facts, ...forged } }]]), evm.url),
    ).rejects.toThrow('says otherwise of block')

  // Nothing was read for three hours: the page says since when, and counts no signature.
  await backend.sql("update private.control_reads set read_at = now() - interval '3 hours'")
  const old = await startSite(backend, { ...project.variables, ...wallets })
  expect(wordsOf(await new Visitor(old.url).get('/transparency/wallets'))).toMatch(
    /We could not read since \d+ \w+ 20\d\d/,
  )
  await refused(show('treasury', other), "We couldn't read on the blockchain for two hours", 503)
  await old.close()
})

test('a Safe approves, pays and revokes by the downloaded files, and the site pays from its allowance', async () => {
  const { evm, backend, who, dollar } = project
  const { safe, execute } = await deploySafe(project)
  const key = generatePrivateKey()
  const payer = privateKeyToAccount(key).address
  const partner = `0x${'9'.repeat(40)}` as Hex
  const { client } = await addOperator(backend, 'ada')
  await addOperator(backend, 'bob')
  await nameByTwo(backend, partner, 'Riverside Books')
  await project.tell(61_234_000_000n)
  await project.pay(who.stranger, { address: safe } as never, dollars(1_000))
  await evm.control.setBalance({ address: payer, value: 10n ** 18n })
  await evm.mine(6)
  await site?.close()
  site = await startSite(backend, { ...project.variables, TREASURY_WALLET: safe, PAYER_KEY: key })
  const tick = async (times = 1) => {
    for (let time = 0; time < times; time++) {
      await project.tick(site)
      await evm.mine(6)
    }
  }
  await tick(2)
  const ada = new Visitor(site.url).carry(sessionCookie, (await client.auth.getSession()).data.session ?? {})
  const order = (whole: number) =>
    insertOrder(backend, {
      ...{ chain: chainId, from: safe.toLowerCase(), to: partner, token: dollar, amount: dollars(whole) },
    })
  const read = (functionName: string, ...args: unknown[]) =>
    evm.reader.readContract({ abi: contracts.Token.abi, address: dollar, functionName, args })
  const stateOf = async (number: number) =>
    (await backend.sql<{ state: string }>('select state from public.orders where id = $1', [number]))[0]
      ?.state
  /** Executes the file that an allowance's page offers. */
  const approve = async (amount: string) => {
    const query = new URLSearchParams({ of: 'treasury USDX', amount })
    const page = documentOf(await ada.get(`/operator/payments/allowance?${query}`))
    const link = page.querySelector('main a[download]')?.getAttribute('href') ?? ''
    const batch: Batch = JSON.parse((await ada.get(link)).html)
    expect([batch.chainId, batch.meta.createdFromSafeAddress]).toEqual([`${chainId}`, safe])
    expect(await execute(batch)).toBe('success')
    return read('allowance', safe, payer)
  }

  expect(await approve('50')).toBe(dollars(50))
  const byPayer = await order(10)
  await tick(5)
  expect([await stateOf(byPayer), await read('balanceOf', partner)]).toEqual(['paid', dollars(10)])
  // What is left of the allowance stands beside the keys, with its time.
  await backend.sql("update private.control_reads set read_at = now() - interval '3 hours'")
  await tick(1)
  expect(wordsOf(await new Visitor(site.url).get('/transparency/wallets'))).toMatch(
    /The program that sends our payments may spend 40(\.00)? USDX of it without these keys\./,
  )

  // While the site pays, a due order has no file.
  const byHand = [await order(3), await order(4)]
  for (const query of ['account=treasury', `order=${byHand[0]}`])
    expect((await ada.get(`/operator/payments/safe.json?${query}`)).status).toBe(404)
  expect(wordsOf(await ada.get('/operator/payments'))).toContain('To pay an order by hand, take it first.')
  // Two orders that an operator took are paid by hand, with one file, whatever the site does meanwhile.
  const take = (number: number) => backend.sql("select private.move_order($1, 'taken')", [number])
  for (const number of byHand) await take(number)
  await tick(1)
  // An order of before in a token that had other decimals is not among them.
  const differing = await insertOrder(backend, {
    ...{ chain: chainId, from: safe.toLowerCase(), to: partner, token: dollar, amount: dollars(500) },
    decimals: 20,
  })
  await take(differing)
  const page = wordsOf(await ada.get('/operator/payments'))
  expect(page).toMatch(/Do not pay these orders:.*\$5\.00.*to Riverside Books/)
  expect((await ada.get(`/operator/payments/safe.json?order=${differing}`)).status).toBe(404)
  const batch: Batch = JSON.parse((await ada.get('/operator/payments/safe.json?account=treasury')).html)
  expect(batch.transactions).toHaveLength(2)
  expect(batch.meta.description).toMatch(/^Order \d+, not to be signed after 20\d\d-\d\d-\d\d: /)
  await backend.sql("select private.move_order($1, 'stopped')", [differing])
  expect(await execute(batch)).toBe('success')
  await tick(4)
  expect(await Promise.all(byHand.map(stateOf))).toEqual(['paid', 'paid'])
  expect(await read('balanceOf', partner)).toBe(dollars(17))

  // The holder of the secret key can name another payer in the database: owners are asked to approve none.
  const foreign = { chain_id: chainId, payer: partner, gas: '1', payment_gas: '1', means: [] }
  const [seen] = await backend.sql<{ row: unknown }>(
    'select to_jsonb(sights) as row from private.payer_sights as sights',
  )
  await backend.sql('select public.record_payer($1)', [JSON.stringify(foreign)])
  expect(wordsOf(await ada.get('/operator/payments/allowance?of=treasury+USDX&amount=5'))).toMatch(
    /names another address as the payer/,
  )
  expect((await ada.get('/operator/payments/safe.json?allow=treasury+USDX&amount=5')).status).toBe(404)
  await backend.sql('select public.record_payer($1)', [JSON.stringify(seen?.row)])
  expect(await approve('0')).toBe(0n)
  const late = await order(5)
  await tick(2)
  expect([await stateOf(late), await read('balanceOf', partner)]).toEqual(['announced', dollars(17)])
})
