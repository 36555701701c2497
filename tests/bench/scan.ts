/** Compares the scan of the blockchain with the former scan, which could not split a block. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { openChain } from '../../app/chain/rpc.ts'
import { scanSteps } from '../../app/ledger/job/scan.ts'
import type { Watch } from '../../app/ledger/job/watch.ts'
import type { Bench } from './bench.ts'
import { chainId, every, startEndpoint, token, wallet } from './chain-endpoint.ts'
import { format, inTurn, median, ratios } from './statistics.ts'

/** The last commit whose scan read each block as a whole. */
const formerCommit = '9621b1b4^'

const blocks = 20_000
const watch: Watch = {
  chainId,
  urls: [],
  startBlock: 0,
  confirmations: 1,
  tokens: [{ symbol: 'USDT', address: token, decimals: 18, value: 'usd' }],
  accounts: new Map([[wallet, 'treasury']]),
  taxSenders: [],
  dreamWallets: [],
  goals: new Map(),
}

interface Scan {
  openChain: typeof openChain
  scanSteps: typeof scanSteps
}

/** Imports the modules of `formerCommit` from a folder in which Node finds the packages. */
async function importFormer({ open }: Bench<'scan'>): Promise<Scan | null> {
  const folder = resolve('build/scan-before')
  mkdirSync(folder, { recursive: true })
  await open({ close: () => rmSync(folder, { recursive: true, force: true }) })
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
    const archive = execFileSync('git', ['archive', formerCommit, 'app', 'package.json'], {
      stdio,
      maxBuffer: 64 * 2 ** 20,
    })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
  } catch {
    console.log(`     commit ${formerCommit} is not in this copy of the repository`)
    return null
  }
  const [rpc, scan] = await Promise.all(
    ['rpc', 'scan'].map((name) => import(`${folder}/app/chain/${name}.ts`)),
  )
  return { openChain: rpc.openChain, scanSteps: scan.scanSteps }
}

export async function measureScan(bench: Bench<'scan'>): Promise<void> {
  const settings = { head: blocks, delay: 0 }
  const endpoints = [await bench.open(startEndpoint(settings)), await bench.open(startEndpoint(settings))]
  const urls = endpoints.map(({ url }) => url)
  const former = await importFormer(bench)
  if (!former) return
  const rateOf =
    ({ openChain, scanSteps }: Scan) =>
    async () => {
      const startedAt = performance.now()
      const chain = await openChain(urls, chainId)
      let rows = 0
      for await (const { newRows } of scanSteps(chain, watch, 1, blocks)) rows += newRows.length
      if (rows !== blocks / every) throw new Error(`${rows} rows`)
      return (1000 * blocks) / (performance.now() - startedAt)
    }
  const { ones, others } = await inTurn(
    bench.quick ? 7 : 15,
    rateOf({ openChain, scanSteps }),
    rateOf(former),
  )
  bench.report('rate', ratios(ones, others), {
    note: `${format(median(ones))} blocks/s, and ${format(median(others))} at commit ${formerCommit}; ${blocks / every} transfers in ${format(blocks)} blocks, two endpoints on this machine.`,
  })
}
