/**
 * Measures requests per second of cached pages while the scheduled work sends emails to 20,000 followers,
 * divided by the requests per second without emails.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { addFollowers } from '../support/followers.ts'
import { startSiteWithBackend } from '../support/site.ts'
import type { Bench } from './bench.ts'
import { hasGenerator, sendLoad } from './load.ts'
import { format, median, ratios } from './statistics.ts'

const followers = 20_000

export async function measureMails({ quick, open, report }: Bench<'mails'>): Promise<void> {
  if (!hasGenerator()) return
  const site = await open(startSiteWithBackend({ mail: true }))
  const { backend } = site
  await addFollowers(backend, followers, 'education')
  const pages = ['/', '/transparency', '/voting/education'].map((path) => ({ path }))
  const counts = async () =>
    (
      await backend.sql<{ waiting: number; sent: number }>(
        `select count(*) filter (where state = 'waiting')::int as waiting,
           count(*) filter (where state = 'sent')::int as sent from private.mails`,
      )
    )[0] ?? { waiting: 0, sent: 0 }

  /**
   * Publishes an update, and measures while the scheduled work sends the update's emails, if it has any.
   * Deletes the unsent emails to end the run.
   */
  const rateAfterUpdate = async (pool: string, expected: number) => {
    const entry = { pool_slug: pool, published_at: new Date(Date.now() - 3_600_000).toISOString() }
    await backend.sql('select public.append_update($1)', [
      JSON.stringify({ ...entry, text: 'Forty desks arrived.' }),
    ])
    const run = site.runSchedule()
    while (expected > 0 && (await counts()).sent === 0) await sleep(100)
    const before = await counts()
    const load = await sendLoad({ url: site.url, pages, connections: 32, seconds: quick ? 5 : 8 })
    const after = await counts()
    await backend.sql('delete from private.mails')
    await run
    if (load.errors) throw new Error(`${load.errors} errors under load`)
    const sent = after.sent - before.sent
    if (after.waiting + after.sent !== expected || (expected > 0 && sent === 0))
      throw new Error(`${sent} mails were sent, and ${after.waiting} wait`)
    return { rate: load.rate, sent }
  }
  const sending: number[] = []
  const without: number[] = []
  const sent: number[] = []
  for (let turn = -1; turn < (quick ? 3 : 7); turn++) {
    const idle = await rateAfterUpdate('animal-welfare', 0)
    const busy = await rateAfterUpdate('education', followers)
    if (turn < 0) continue
    without.push(idle.rate)
    sending.push(busy.rate)
    sent.push(busy.sent)
  }
  report('rate', ratios(sending, without), {
    note: `${format(median(sending))} and ${format(median(without))} requests/s; ${format(median(sent))} mails were sent meanwhile.`,
  })
}
