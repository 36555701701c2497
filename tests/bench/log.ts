/** Compares a log of a million entries with one of a thousand: files, proofs, and the check in the browser. */
import { generateKeyPairSync } from 'node:crypto'
import { createService } from '../../app/chain/ledger-writer.server.ts'
import { signLog } from '../../app/chain/signing.server.ts'
import { tilePath } from '../../app/log/tile.ts'
import { checkRow } from '../../app/routes/transparency.transaction/row-proof.ts'
import { comparePaths, type Ledger } from './filled-ledger.ts'
import { add } from './report.ts'
import { median, spread } from './statistics.ts'

const prefix = '/transparency/log'
const privateKey = generateKeyPairSync('ed25519')
  .privateKey.export({ format: 'der', type: 'pkcs8' })
  .toString('base64')

/** A generator of positions in the log. Consecutive calls return different ones, so that caches have few responses. */
function drawPlaces(): (below: number) => number {
  let calls = 0
  return (below) => (++calls * 7_919) % below
}

export async function measureLog(small: Ledger, large: Ledger, quick: boolean): Promise<void> {
  for (const { backend } of [small, large]) {
    const service = createService(backend.url, backend.secretKey, fetch)
    await signLog(service, { privateKey, origin: 'bench.example/transparency/log' }, null)
  }
  const draw = drawPlaces()
  const fullTile = ({ rows }: Ledger) => ({ index: draw(Math.floor(rows / 256)), width: 256 })
  const row = ({ rows }: Ledger) => 1 + draw(rows)
  await comparePaths(
    small,
    large,
    [
      ['checkpoint', () => `${prefix}/checkpoint`],
      ['tile of 256 leaves', (ledger) => `${prefix}/${tilePath({ level: 0, ...fullTile(ledger) })}`],
      [
        'bundle of 256 entries',
        (ledger) => `${prefix}/${tilePath({ level: 'entries', ...fullTile(ledger) })}`,
      ],
      ['proof of a row', (ledger) => `/transparency/${row(ledger)}/proof`, 2],
      ['page of a row', (ledger) => `/transparency/${row(ledger)}`, 2],
    ],
    quick,
  )
  await measureProof(large)
}

async function measureProof({ site, rows }: Ledger): Promise<void> {
  const vkey = (await (await fetch(`${site.url}${prefix}/vkey`)).text()).trim()
  const times: number[] = []
  let largest = 0
  const draw = drawPlaces()
  for (let repetition = -5; repetition < 30; repetition++) {
    const row = String(1 + draw(rows))
    const file = await (await fetch(`${site.url}/transparency/${row}/proof`)).text()
    largest = Math.max(largest, Buffer.byteLength(file))
    const startedAt = performance.now()
    await checkRow({ checkRow: file, vkey, row })
    if (repetition >= 0) times.push(performance.now() - startedAt)
  }
  add({
    what: 'Proof of one of a million rows: octets, uncompressed',
    measured: String(largest),
    aim: '≤ 64,000',
    reached: largest <= 64_000,
  })
  add({
    what: 'The check of that proof by the code of the page (Web Crypto, in Node), ms',
    measured: spread(times),
    aim: '≤ 50',
    reached: median(times) <= 50,
  })
}
