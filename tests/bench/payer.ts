/** The payer while a stranger sends dust. */
import { encodeFunctionData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { chainId } from '../chain/evm.ts'
import { contracts, dollars, startProject } from '../chain/project.ts'
import { addOperator, nameByTwo } from '../support/operators.ts'
import { insertOrder } from '../support/orders.ts'
import { startSite } from '../support/site.ts'
import type { Bench } from './bench.ts'

const partner = `0x${'9'.repeat(40)}`

/** The runs by which dust that comes in the minute before delays a payment. */
export async function measureDust({ open, report }: Bench<'payments'>): Promise<void> {
  const project = await open(startProject(2))
  const { evm, who, backend, dollar } = project
  for (const handle of ['ada', 'bob']) await addOperator(backend, handle)
  await nameByTwo(backend, partner, 'Riverside Books')
  const key = generatePrivateKey()
  const payer = privateKeyToAccount(key)
  const site = await open(startSite(backend, { ...project.variables, PAYER_KEY: key }))
  await evm.control.setBalance({ address: payer.address, value: 10n ** 18n })
  await project.pay(who.stranger, who.treasury, dollars(1_000))
  const data = encodeFunctionData({
    abi: contracts.Token.abi,
    functionName: 'approve',
    args: [payer.address, dollars(1_000)],
  })
  await evm.send(who.treasury, dollar, { data })
  await evm.mine(6)
  const tick = async () =>
    (await project.tick(site)) as { payer?: { sent?: number }; behind?: number; calls?: number; ms?: number }
  await tick()
  const number = await insertOrder(backend, {
    ...{ chain: chainId, from: who.treasury.address.toLowerCase(), to: partner },
    ...{ token: dollar.toLowerCase(), amount: dollars(1) },
  })
  // 20 blocks of 12 transactions of 40 transfers.
  for (let block = 0; block < 20; block++) {
    for (let sent = 0; sent < 12; sent++)
      await project.payMany(who.stranger, Array(40).fill(who.treasury), Array(40).fill(1n))
    await evm.mine(1)
  }
  let runs = 0
  const words: string[] = []
  for (let sent: number | undefined; sent !== number && runs < 10; runs += 1) {
    const run = await tick()
    sent = run.payer?.sent
    words.push(`${run.ms} ms, ${run.calls} calls${run.behind ? `, ${run.behind} blocks behind` : ''}`)
  }
  report('dust', runs - 1, { note: `240 transactions of 40 transfers. Each run: ${words.join('; ')}.` })
}
