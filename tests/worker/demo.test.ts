import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { variablesOfDemo } from '../../supabase/embedded/demo-chain.ts'
import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'
import { migratedDataDir } from '../support/data-folder.ts'
import { startSite } from '../support/site.ts'
import { signUp } from '../support/temporary-backend.ts'
import { documentOf, type Page, sessionCookie, Visitor } from '../support/visitor.ts'

/** The backend of `npm run demo`, in a process of its own: here the demonstration has the tests' day. */
async function startDemo() {
  const { path, remove } = await migratedDataDir()
  const env = { ...process.env, DATA_DIR: path, DEMO: '1', DEMO_DAY: '', SUPABASE_PORT: '0', MAIL_PORT: '0' }
  const child = spawn(process.execPath, ['supabase/embedded/embedded.ts'], { env })
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(said)))
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += chunk
        const ready = /^ready (\S+)$/m.exec(said)?.[1]
        if (ready) resolve(ready)
      })
  })
  const close = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill()
    await ended
    remove()
  }
  const keys = JSON.parse(readFileSync(join(path, 'keys.json'), 'utf8'))
  return { url, publishableKey: keys.publishableKey, secretKey: keys.secretKey, close }
}

const wordsOf = (page: Page) =>
  documentOf(page).querySelector('main')?.structuredText.replace(/\s+/g, ' ') ?? ''

test('the demonstration ends today, and the job counts the ballot of a visitor', async () => {
  const backend = await startDemo()
  const site = await startSite(backend, {
    ...variablesOfDemo(backend.url),
    ...{ DEMO_DAY: '0', SUPABASE_SECRET_KEY: backend.secretKey, PAGE_CACHE: 'off' },
  })
  try {
    const read = async <T>(path: string): Promise<T> => {
      const headers = { apikey: backend.secretKey, Authorization: `Bearer ${backend.secretKey}` }
      return (await fetch(`${backend.url}/rest/v1/${path}`, { headers })).json() as T
    }
    // Nothing is overdue, nothing is in the future, and the site can pay.
    const orders = await read<{ state: string; due_at: string; moved_at: string }[]>('published_orders')
    const dueIn = orders
      .filter(({ state }) => state === 'announced')
      .map(({ due_at }) => (Date.parse(due_at) - Date.now()) / 3_600_000)
    expect(dueIn.length).toBe(4)
    expect(Math.min(...dueIn)).toBeGreaterThan(0)
    expect(Math.max(...dueIn)).toBeLessThan(24)
    expect(orders.filter(({ moved_at }) => Date.parse(moved_at) > Date.now())).toEqual([])
    const everyone = new Visitor(site.url)
    expect(wordsOf(await everyone.get('/about'))).not.toContain('No program of this site can pay')
    expect(await (await fetch(`${site.url}/healthz`)).json()).toEqual({ status: 'ok' })

    const { client, id } = await signUp(backend as EmbeddedBackend, 'visitor@example.org')
    const { data } = await client.auth.getSession()
    const browser = new Visitor(site.url).carry(sessionCookie, data.session ?? {})
    const wallet = privateKeyToAccount(generatePrivateKey())
    const path = '/giveback/goal-bkfrzmwp/vote'
    const query = (address: string) => `${path}?choice=support&address=${address}`

    // What the wallet weighs is said before it signs, and to a wallet that does not count, instead of the text.
    const { TREASURY_WALLET: treasury } = variablesOfDemo(backend.url)
    const refused = await browser.get(query(treasury))
    expect(wordsOf(refused)).toContain('The tokens of this address do not count in this vote.')
    expect(documentOf(refused).querySelector('textarea')).toBeNull()
    const shown = await browser.get(query(wallet.address))
    expect(wordsOf(shown)).toContain('each wallet that signs counts as 1,000 made-up tokens')
    expect(wordsOf(shown)).toMatch(
      /This wallet held 1,000 tokens at block \d+: this is what the ballot weighs\./,
    )

    const text = documentOf(shown).querySelector('textarea')?.text.replace(/^\n/, '') ?? ''
    const signature = await wallet.signMessage({ message: text })
    const fields = { member: id, choice: 'support', address: wallet.address, text, signature }
    expect((await browser.post(path, fields)).status).toBe(303)
    const sums = () => read<{ ballots: number; support: string }[]>('published_votes?goal=eq.goal-bkfrzmwp')
    const [before] = await sums()
    await site.runSchedule()
    const [after] = await sums()
    expect(Number(after?.ballots) - Number(before?.ballots)).toBe(1)
    expect(BigInt(after?.support ?? 0) - BigInt(before?.support ?? 0)).toBe(1_000n * 10n ** 18n)
    expect(wordsOf(await everyone.get('/giveback/goal-bkfrzmwp/votes'))).toContain('1,000 tokens')
  } finally {
    await site.close()
    await backend.close()
  }
})
