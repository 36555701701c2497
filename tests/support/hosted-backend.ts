import { appendFileSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { impactPools } from '../../app/platform/impact-pools.ts'
import { requestKey } from '../../app/platform/request-key.ts'
import { fillDemo, storeDemoPictures } from '../../supabase/embedded/demo.ts'
import type { EmbeddedBackend, EmbeddedOptions } from '../../supabase/embedded/embedded.ts'
import { listen } from '../../supabase/embedded/http.ts'
import { loadKeys } from '../../supabase/embedded/keys.ts'
import { openMailbox } from '../../supabase/embedded/mailbox.ts'
import { openPostgres } from '../../supabase/embedded/postgres.ts'
import { supabaseDir } from '../../supabase/embedded/settings.ts'
import {
  gateway,
  hostedPrograms,
  type Programs,
  type Project,
  type Service,
  startAuth,
  startPostgrest,
  startStorage,
} from './hosted-services.ts'
import { startMailServer } from './mail-server.ts'
import { makeSigningKeys } from './signing-keys.ts'

export interface HostedBackend extends EmbeddedBackend {
  /** Starts the services again, with the keys as they are now. */
  restart(): Promise<void>
  keys: Project['keys']
  /** Kills a service. The gateway responds with 503 until the returned function has started it again. */
  kill(service: ServiceName): Promise<() => Promise<void>>
}

type ServiceName = 'auth' | 'rest' | 'storage'

/**
 * Starts the services of a hosted project in place of an embedded backend, beside a database that has all migrations
 * (hosted-owner.ts). REAL_FILES gets the file of the tests that use it.
 */
export async function startHosted(options: EmbeddedOptions): Promise<HostedBackend> {
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    return { ...(await start(options, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function start(options: EmbeddedOptions, closers: (() => unknown)[]) {
  const { databaseUrl = '', dataDir, siteUrl, confirmations = false } = options
  const programs = hostedPrograms() as Programs
  const { publishableKey, secretKey, logKey, jwtSecret } = await loadKeys(dataDir)
  const db = await openPostgres(databaseUrl)
  closers.push(() => db.close())
  const mailbox = openMailbox()
  const templates = /^\/templates\/\w+\.html$/
  const mail = await listen(options.mailPort, 'MAIL_PORT', async (request) => {
    const { pathname } = new URL(request.url)
    if (!templates.test(pathname)) return mailbox.handler(request)
    return new Response(readFileSync(join(supabaseDir, 'templates', basename(pathname))))
  })
  closers.push(mail.close)
  const mailServer = await startMailServer((message) => mailbox.driver.send(message))
  closers.push(mailServer.close)

  const keys = makeSigningKeys(jwtSecret)
  const services = new Map<string, Promise<Service>>()
  const server = await listen(
    options.port,
    'SUPABASE_PORT',
    gateway({ publishableKey, secretKey, keys, urlOf: async (service) => (await serviceOf(service)).url }),
  )
  const { url } = server
  const project: Project = { databaseUrl, url, siteUrl, confirmations, keys, jwtSecret }
  const starts = {
    auth: () =>
      startAuth(programs.auth, project, { smtpPort: mailServer.port, templatesUrl: `${mail.url}/templates` }),
    rest: () => startPostgrest(programs.postgrest, project),
    // Storage takes seconds to start, and few tests use it.
    storage: () => startStorage(programs.storage, project, join(dataDir, 'files')),
  }
  const serviceOf = (name: ServiceName) => {
    const running = services.get(name) ?? starts[name]()
    services.set(name, running)
    return running
  }
  const stop = async () => {
    const running = [...services.values()]
    services.clear()
    for (const service of running) await (await service).close()
  }
  const kill = async (name: ServiceName) => {
    await (await serviceOf(name)).close()
    return async () => {
      services.delete(name)
      await serviceOf(name)
    }
  }
  closers.push(stop)
  closers.push(server.close)
  const restart = async () => {
    await stop()
    await Promise.all([serviceOf('auth'), serviceOf('rest')])
  }
  await restart()

  const sql = async <T>(text: string, params?: unknown[]) => (await db.session.query<T>(text, params)).rows
  await sql('select public.keep_request_key($1)', [await requestKey(secretKey)])
  await sql('select public.keep_pools($1)', [impactPools.map(({ slug }) => slug)])
  if (options.demo) {
    await fillDemo(sql, `${new URL(siteUrl).host}/transparency/log`)
    // The auth service finds no account without its instance, and cannot read one whose tokens are null.
    await sql(
      `update auth.users set instance_id = '00000000-0000-0000-0000-000000000000', confirmation_token = '',
        recovery_token = '', email_change_token_new = '', email_change = ''`,
    )
    await storeDemoPictures(sql, (request) => fetch(request), { url, secretKey })
  }
  await db.analyze()
  const { REAL_FILES, TEST_FILE } = process.env
  if (REAL_FILES) appendFileSync(REAL_FILES, `${TEST_FILE}\n`)
  return { url, mailUrl: mail.url, publishableKey, secretKey, logKey, sql, keys, restart, kill }
}
