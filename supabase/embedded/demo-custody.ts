import { createHash } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { writeKeyProof } from '../../app/custody/key-proof.ts'
import { impactPools } from '../../app/platform/impact-pools.ts'
import { plainSignature } from '../../app/wallet/signature.server.ts'
import { chainId, daysBefore, fakeAddress, lastBlock, type Row, type Sql } from './demo-rows.ts'

/** The keys of the wallets, made from published texts: anyone can sign with them, so their signatures prove nothing. */
const keyOf = (name: string) => privateKeyToAccount(`0x${createHash('sha256').update(name).digest('hex')}`)
const addressOf = (name: string) => keyOf(name).address.toLowerCase()
const keys = new Map<string, string>()
const known = (name: string) => {
  keys.set(addressOf(name), name)
  return addressOf(name)
}
/** The number makes the address begin like all made-up ones. */
const donationKey = 'donation wallet 36036'
export const donationWallet = known(donationKey)
const owners = (from: number, count: number) =>
  Array.from({ length: count }, (_, place) => known(`key ${from + place}`)).sort()

const [education = '', relief = '', animals = ''] = impactPools.map(({ slug }) => slug)

/** The wallet whose keys were not read for three days. */
export const unreadWallet = fakeAddress(education)

/**
 * Who can move the money of the wallets, and who showed a key: a Safe of five owners of whom three signed, a wallet with one key
 * that is shown, a Safe whose owners are late, one with a module, and a contract that we do not know, of which an address may spend.
 */
export function demoCustody(treasury: string, payer: string): { table: string; row: Row }[] {
  const token = { token: fakeAddress('DEMOUSD'), symbol: 'DEMOUSD', decimals: 18 }
  const allow = (spender: string, amount: bigint) => [{ ...token, spender, amount: `${amount}` }]
  const none = { version: null, owners: [], threshold: null, modules: [], guard: null, handler: null }
  const safe = (of: string[], threshold: number, modules: string[] = []) => ({
    ...{ control: 'safe', version: '1.4.1', owners: of, threshold, modules, guard: null },
    handler: fakeAddress('fallback handler'),
  })
  const allowed = { allowances: allow(payer, 20_000n * 10n ** 18n) }
  const read = (wallet: string, days: number, control: object) => ({
    table: 'public.wallet_controls',
    row: {
      ...{ chain_id: chainId, wallet, ...none, ...allowed, ...control, recorded_at: daysBefore(days) },
      block_number: lastBlock.block_number - days,
    },
  })
  const shown = (wallet: string, key: string, ...days: number[]) =>
    days.map((day) => ({
      table: 'public.custody_signatures',
      row: { chain_id: chainId, wallet, signer: addressOf(key), recorded_at: daysBefore(day) },
    }))
  return [
    read(treasury, 140, safe(owners(1, 3), 2)),
    read(donationWallet, 140, { control: 'key' }),
    read(fakeAddress(education), 140, safe(owners(1, 3), 2)),
    read(fakeAddress(relief), 140, safe(owners(6, 2), 2, [fakeAddress('module')])),
    read(fakeAddress(animals), 140, { control: 'contract', allowances: [] }),
    read(fakeAddress(animals), 30, {
      control: 'contract',
      allowances: allow(fakeAddress('spender'), 2n ** 256n - 1n),
    }),
    read(treasury, 40, safe(owners(1, 5), 3)),
    ...shown(treasury, 'key 1', 120, 92, 65, 38, 20),
    ...shown(treasury, 'key 2', 119, 91, 64, 36, 15),
    ...shown(treasury, 'key 4', 12),
    ...shown(donationWallet, donationKey, 115, 86, 58, 31, 4),
    ...shown(fakeAddress(education), 'key 1', 121, 95, 70, 48),
    ...shown(fakeAddress(relief), 'key 6', 118, 75, 47, 20),
    ...shown(fakeAddress(relief), 'key 7', 20),
  ]
}

/** Signs the text of its day, which names the newest entry of the log. */
export async function signedBy(sql: Sql, row: Row): Promise<Row> {
  const [newest] = await sql<{ entry: number; leaf: string }>(
    `select index::integer as entry, encode(leaf, 'hex') as leaf from private.log_entries
    where log = 'ledger' order by index desc limit 1`,
  )
  const { entry = 0, leaf = '' } = newest ?? {}
  const { wallet, signer } = row as { wallet: string; signer: string }
  const [site, date] = ['goodblock.example', String(row.recorded_at).slice(0, 10)]
  const message = writeKeyProof({ site, chainId, wallet, signer, date, entry, leaf })
  const signature = await keyOf(keys.get(signer) ?? '').signMessage({ message })
  return {
    ...row,
    ...{ site, signed_on: date, entry_index: entry, entry_leaf: leaf, signature: plainSignature(signature) },
  }
}

/** Who holds keys, as two operators say: the role alone, or more if the holder wants it. */
export const demoHolders = (
  [
    ['key 1', 'Board member, Europe\nmara\nI sign on the first Monday of a month.\nhttps://example.org/mara'],
    ['key 2', 'Board member, Asia\n\n\n'],
    ['key 3', 'Treasurer\n\n\n'],
    ['key 4', 'Auditor, not a board member\n\n\n'],
    [donationKey, 'Board member, Europe\nmara\n\n'],
  ] as const
).map(([key, reason]) => ({ key: addressOf(key), reason }))
