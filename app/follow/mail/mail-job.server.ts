import * as z from 'zod/mini'
import { listWallets } from '../../ledger/wallets.ts'
import { createLanguage, type Language, loadLanguage } from '../../platform/locales/language.ts'
import { english } from '../../platform/locales/locales.ts'
import { requestKey } from '../../platform/request-key.ts'
import { integerColumn } from '../../platform/server/columns.server.ts'
import type { Runtime } from '../../platform/server/runtime.server.ts'
import { createService } from '../../platform/server/service.server.ts'
import { sleep } from '../../platform/server/timeout.ts'
import { factRow, type MailRow, mailRow } from './facts.ts'
import { writeMail } from './messages.ts'
import { type Sending, sendMail } from './send.server.ts'
import { mailSettings } from './settings.ts'

/** Maximum duration in milliseconds: of the scheduled run of each minute, and of a run after a request. */
const runTime = { scheduled: 50_000, prompt: 5_000 }
/** The pause between two claims, in milliseconds. The database hands out at most two emails per second. */
const pause = 1_000

const claimed = z.object({ mails: z.array(mailRow), facts: z.record(z.string(), factRow), more: z.boolean() })

/**
 * Sends the emails that a person is waiting for, after the response to the request that stored them: the
 * database hands out confirmations before all other emails. The scheduled run sends what this run cannot.
 */
export function sendPromptly(runtime: Pick<Runtime, 'config' | 'execution' | 'fetch' | 'log'>): void {
  runtime.execution.waitUntil(run(runtime, 'prompt'))
}

/**
 * Expands new facts into emails and sends the due emails. A run may be killed at any point, and two runs may
 * overlap: the database assigns each email to one run only, and the service sends a repeated email only once.
 * A run claims an email just before it sends the email, so that no email is sent more than a second after its
 * recipient has unfollowed. Errors are logged, not thrown.
 */
export function runMailJob(runtime: Pick<Runtime, 'config' | 'fetch' | 'log'>): Promise<void> {
  return run(runtime, 'scheduled')
}

async function run(
  { config, fetch, log }: Pick<Runtime, 'config' | 'fetch' | 'log'>,
  kind: keyof typeof runTime,
): Promise<void> {
  const settings = mailSettings(config)
  const { SUPABASE_SECRET_KEY: secret } = config
  if (!settings || !secret) return
  const startedAt = Date.now()
  const service = createService(config.SUPABASE_URL, secret, fetch)
  const counts: Partial<Record<Sending['outcome'], number>> = {}
  let reason: string | undefined
  try {
    let made = 0
    if (kind === 'scheduled') {
      await service.call('keep_request_key', z.null(), { key: await requestKey(secret) })
      // Until a wallet is configured, the site is not open.
      if (listWallets(config).length > 0) await service.call('tell_opening', z.null(), {})
      made = await service.call('prepare_mails', integerColumn, {})
    }
    let results: { id: number; outcome: string; reason: string }[] = []
    for (let isLast = false; !isLast; ) {
      isLast = Date.now() - startedAt > runTime[kind]
      const claimedAt = Date.now()
      const { mails, facts, more } = await service.call('next_mails', claimed, {
        results,
        most: isLast ? 0 : 2,
      })
      const addresses = new Set(mails.map(({ address }) => address))
      const sendings = [...addresses].map((to) =>
        sendInTurn(
          mails.filter(({ address }) => address === to),
          async (row) => {
            const language = await languageOf(row, config)
            const mail = writeMail(row, facts[`${row.fact_id}`] ?? null, config.SITE_URL, language)
            const sending = await sendMail(settings, mail, row.key)
            counts[sending.outcome] = (counts[sending.outcome] ?? 0) + 1
            if (sending.outcome !== 'sent') reason = sending.reason
            return sending
          },
        ),
      )
      results = (await Promise.all(sendings)).flat()
      if (mails.length === 0 && !more) break
      await sleep(Math.max(0, claimedAt + pause - Date.now()))
    }
    if (made === 0 && Object.keys(counts).length === 0) return
    const { sent, ...faults } = counts
    const level = Object.keys(faults).length > 0 ? 'warn' : 'info'
    log[level]('mail.run', { made, ...counts, reason, ms: Date.now() - startedAt })
  } catch (error) {
    log.error('mail.stopped', { message: (error as Error).message })
  }
}

/**
 * Sends the emails to one address one after another, because some of them report successive events of one
 * goal. The emails after one that could not be sent have no result: they are due again later than that email.
 */
async function sendInTurn(
  mails: MailRow[],
  send: (mail: MailRow) => Promise<Sending>,
): Promise<(Sending & { id: number })[]> {
  const results: (Sending & { id: number })[] = []
  for (const mail of mails) {
    const sending = await send(mail)
    results.push({ id: mail.id, ...sending })
    if (sending.outcome !== 'sent') break
  }
  return results
}

/** The language that is stored with an address, or English if the site no longer offers that language. */
async function languageOf({ language }: MailRow, { LOCALES }: Runtime['config']): Promise<Language> {
  const locale = LOCALES.find(({ code }) => code === language) ?? english
  await loadLanguage(locale)
  return createLanguage(locale.code, locale.code !== english.code)
}
