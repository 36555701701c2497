import { createHash } from 'node:crypto'

/** A row of the chain as it is exported. */
export type ChainRow = Record<string, string | number | null> & {
  seq: number
  previous_hash: string
  hash: string
}

/** The hash of a row as supabase/ledger-format.md says it, written from that page and not from the code. */
function hashOf({ hash, ...facts }: ChainRow): string {
  const field = ([name, value]: [string, unknown]) =>
    value === null ? `${name} -\n` : `${name} ${Buffer.from(`${value}`).length} ${value}\n`
  const form = `goodblock-ledger-1\n${Object.entries(facts).map(field).join('')}`
  return createHash('sha256').update(form).digest('hex')
}

/** What does not hold in a chain, row by row. */
export function faultsOf(rows: ChainRow[]): string[] {
  return rows.flatMap((row, at) => {
    const faults: string[] = []
    if (row.seq !== at + 1) faults.push(`row ${at + 1} has place ${row.seq}`)
    if (row.previous_hash !== (rows[at - 1]?.hash ?? '0'.repeat(64)))
      faults.push(`row ${at + 1} is not linked`)
    if (row.hash !== hashOf(row)) faults.push(`row ${at + 1} has another hash`)
    return faults
  })
}

/** The lines of /transparency/chain.ndjson. */
export function toLines(rows: ChainRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}
