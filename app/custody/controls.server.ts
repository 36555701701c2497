import * as z from 'zod/mini'
import { tokenColumns, withTokens } from '../ledger/token-columns.server'
import { integerColumn, objectsColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import type { Config } from '../platform/server/env.server'
import { readGoalClock } from '../platform/server/goal-clock.server'

const day = 24 * 3_600_000
/** A reading is old after two hours: it is due each hour. */
const oldAfter = 2 * 3_600_000
/** For how many days a signature shows that a key is held. */
const shownFor = 30
/** Maximum number of acts about holders that are read, newest first. */
const maxHolders = 200

const controlRow = z.object({
  wallet: z.string(),
  control: z.enum(['key', 'safe', 'contract']),
  version: z.nullable(z.string()),
  owners: z.array(z.string()),
  threshold: z.nullable(integerColumn),
  modules: z.array(z.string()),
  guard: z.nullable(z.string()),
  handler: z.nullable(z.string()),
  recordedAt: timestampColumn,
  readAt: timestampColumn,
  logIndex: z.nullable(integerColumn),
  /** What others may spend without the keys, at `allowancesAt`; null before the first reading. */
  allowances: z.nullable(
    objectsColumn(z.object({ spender: z.string(), isPayer: z.boolean(), ...tokenColumns })),
  ),
  allowancesAt: z.nullable(timestampColumn),
  /** The keys that can sign for the wallet, and the newest day on which each did. */
  keys: objectsColumn(
    z.object({ key: z.string(), signedOn: z.nullable(timestampColumn), logIndex: z.nullable(integerColumn) }),
  ),
})
type ControlRow = z.infer<typeof controlRow>

/** Who holds a key, as two operators say. */
export interface Holder {
  role: string
  handle: string | undefined
  words: string | undefined
  link: string | undefined
  logIndex: number
}

/** What an address may spend of a token without the keys. */
type Allowance = ReturnType<typeof withTokens<NonNullable<ControlRow['allowances']>[number]>>

export type WalletControl = Omit<ControlRow, 'keys' | 'allowances' | 'allowancesAt'> & {
  /** Null before the first reading. */
  allowed: { list: Allowance[]; readAt: Date; isOld: boolean } | null
  isOld: boolean
  keys: (ControlRow['keys'][number] & { holder: Holder | undefined })[]
  /** How many keys signed in the last 30 days, the newest day of a signature (null without one), and how many days ago it is. */
  signed: { count: number; last: Date | null; days: number }
}

/** Who can move the money of our wallets, by address; null if it cannot be read. */
export async function readWalletControls(
  data: Data,
  config: Config,
): Promise<Record<string, WalletControl> | null> {
  const [rows, holders] = await Promise.all([
    data.rows('published_controls', controlRow, (query) => query.eq('chain_id', config.CHAIN_ID)),
    readHolders(data),
  ])
  const now = readGoalClock(config)
  return (
    rows &&
    Object.fromEntries(
      rows.map(({ allowances, allowancesAt, ...row }) => {
        const isOld = (at: Date) => now - at.getTime() > oldAfter
        const days = row.keys.flatMap(({ signedOn }) => (signedOn ? [daysSince(signedOn, now)] : []))
        const signed = {
          count: days.filter((age) => age <= shownFor).length,
          last: row.keys[0]?.signedOn ?? null,
          days: Math.max(0, Math.min(...days)),
        }
        const keys = row.keys.map((one) => ({ ...one, holder: holders?.get(one.key) }))
        const allowed = allowances &&
          allowancesAt && {
            list: allowances.map(withTokens),
            readAt: allowancesAt,
            isOld: isOld(allowancesAt),
          }
        return [row.wallet, { ...row, keys, allowed, signed, isOld: isOld(row.readAt) }]
      }),
    )
  )
}

const daysSince = (date: Date, now: number) => Math.floor(now / day) - Math.floor(date.getTime() / day)

const holderRow = z.object({ subject: z.string(), reason: z.nullable(z.string()), logIndex: integerColumn })

/** The newest words about the holder of each key; null if they cannot be read. A withdrawn text has no holder. */
async function readHolders(data: Data): Promise<Map<string, Holder | undefined> | null> {
  const rows = await data.rows('published_acts', holderRow, (query) =>
    query.eq('act', 'holder').order('id', { ascending: false }).limit(maxHolders),
  )
  return (
    rows &&
    new Map(rows.toReversed().map(({ subject, reason, logIndex }) => [subject, holderIn(reason, logIndex)]))
  )
}

/** Reads the text that the database function perform_holder writes, with one fact a line. */
function holderIn(text: string | null, logIndex: number): Holder | undefined {
  const [role, handle, words, link] = text?.split('\n') ?? []
  return role
    ? { role, handle: handle || undefined, words: words || undefined, link: link || undefined, logIndex }
    : undefined
}
