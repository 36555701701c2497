import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { readKeys, spawnEmbedded } from '../support/child.ts'
import { migratedDataDir } from '../support/data-folder.ts'
import { drawFrom } from '../support/draw.ts'
import { transaction } from '../support/temporary-backend.ts'

const deep = process.env.DEEP === '1'
const seed = Number(process.env.SEED ?? 20261121)
const kills = deep ? 200 : 3
const writes = deep ? 1_000 : 60
/** The number of rows in one write to the ledger. A write is atomic. */
const batch = 3

const folder = await migratedDataDir()
let child = spawnEmbedded(folder.path)
afterAll(async () => {
  child.kill('SIGKILL')
  await child.exited
  folder.remove()
})

interface Member {
  id: string
  token: string
  /** The numbers of the last edit that was sent and of the last edit that was acknowledged. */
  sent: number
  kept: number
}

const wallet = (edit: number) => `0x${edit.toString(16).padStart(40, '0')}`

test(
  `after ${kills} kills of the backend during ${writes} writes, every acknowledged write is kept, and no write is partial`,
  async () => {
    const draw = drawFrom(seed)
    let url = await child.ready
    const { publishableKey, secretKey } = readKeys(folder.path)
    const call = (path: string, method: string, body: unknown, key: string, token = key) =>
      fetch(url + path, {
        method,
        headers: { apikey: key, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    const list = async <T>(path: string) =>
      (await (await call(path, 'GET', undefined, secretKey)).json()) as T[]

    const members: Member[] = []
    for (const name of ['a', 'b', 'c']) {
      const account = {
        email: `crash-${name}@example.com`,
        password: 'a password',
        data: { username: 'Edit 0' },
      }
      const answer = await call('/auth/v1/signup', 'POST', account, publishableKey)
      const session = (await answer.json()) as { access_token: string; user: { id: string } }
      members.push({ id: session.user.id, token: session.access_token, sent: 0, kept: 0 })
    }
    const batches = { sent: new Set<string>(), kept: new Set<string>() }
    let written = 0

    /** Sends a member's edits one after the other while the round runs. Both columns contain the number of the edit. */
    async function edit(member: Member, isRunning: () => boolean) {
      while (isRunning()) {
        const number = ++member.sent
        const fields = { username: `Edit ${number}`, wallet_address: wallet(number) }
        const path = `/rest/v1/profiles?id=eq.${member.id}`
        const { ok } = await call(path, 'PATCH', fields, publishableKey, member.token)
        if (!ok) continue
        member.kept = number
        written++
      }
    }

    async function append(isRunning: () => boolean) {
      while (isRunning()) {
        const [first, ...others] = Array.from({ length: batch }, () => transaction())
        if (!first) return
        const hash = first.tx_hash
        const entries = [first, ...others].map((row, ordinal) => ({ ...row, tx_hash: hash, ordinal }))
        batches.sent.add(hash)
        if (!(await call('/rest/v1/rpc/append_ledger', 'POST', { entries }, secretKey)).ok) continue
        batches.kept.add(hash)
        written++
      }
    }

    async function restart(): Promise<void> {
      expect(await child.exited).toBe('SIGKILL')
      child = spawnEmbedded(folder.path)
      url = await child.ready
      const rows = await list<{ id: string; username: string; wallet_address: string | null }>(
        '/rest/v1/profiles',
      )
      for (const member of members) {
        const row = rows.find(({ id }) => id === member.id)
        const found = Number(row?.username.replace('Edit ', ''))
        expect(found, 'an acknowledged edit').toBeGreaterThanOrEqual(member.kept)
        expect(found, 'an edit that was sent').toBeLessThanOrEqual(member.sent)
        if (found > 0) expect(row?.wallet_address, 'both columns of it').toBe(wallet(found))
        member.kept = found
      }
    }

    for (let round = 0; round < kills; round++) {
      let running = true
      const before = written
      const least = Math.ceil((writes - written) / (kills - round))
      const work = Promise.allSettled([
        ...members.map((member) => edit(member, () => running)),
        append(() => running),
      ])
      while (written < before + least) await sleep(1)
      await sleep(draw() * 25)
      child.kill('SIGKILL')
      running = false
      await work
      await restart()
    }

    // The API returns at most a thousand rows for each request.
    const rows: { id: number; tx_hash: string }[] = []
    for (let page: typeof rows = []; page.length || !rows.length; rows.push(...page)) {
      page = await list(
        `/rest/v1/transactions?select=id,tx_hash&order=id&limit=500&id=gt.${rows.at(-1)?.id ?? 0}`,
      )
      if (!page.length) break
    }
    const found = new Map<string, number>()
    for (const { tx_hash } of rows) found.set(tx_hash, (found.get(tx_hash) ?? 0) + 1)
    expect([...batches.kept].filter((hash) => !found.has(hash))).toEqual([])
    for (const [hash, some] of found) {
      expect(batches.sent.has(hash)).toBe(true)
      expect(some).toBe(batch)
    }
    console.log(`crash: ${kills} kills, ${written} acknowledged writes, seed ${seed}`)
    expect(written).toBeGreaterThanOrEqual(writes)
    expect(batches.kept.size).toBeGreaterThan(0)
  },
  deep ? 3_600_000 : 300_000,
)
