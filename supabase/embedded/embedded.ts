import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { App } from '@supabase/lite'
import { impactPools } from '../../app/platform/impact-pools.ts'
import { requestKey } from '../../app/platform/request-key.ts'
import { withApiVersion } from './api-version.ts'
import { withAssurance } from './assurance.ts'
import { openDataFolder } from './data-folder.ts'
import { migrate, type OpenDatabase, OtherSchema } from './database.ts'
import { fillDemo, isDemo, isOtherDay, storeDemoPictures } from './demo.ts'
import { answerDemoChain } from './demo-chain.ts'
import { withFactorAdministration } from './factor-administration.ts'
import { withFactors } from './factors.ts'
import { openFileStore, sweepFiles } from './file-store.ts'
import { asHosted } from './hosted-behaviour.ts'
import { type Handler, listen } from './http.ts'
import { withJsonTexts } from './json-texts.ts'
import { loadKeys } from './keys.ts'
import { inLanguage } from './mail-language.ts'
import { openMailbox } from './mailbox.ts'
import { withMails } from './mails.ts'
import { onParentExit } from './parent.ts'
import { withPasswordTiming } from './password-timing.ts'
import { openPglite } from './pglite.ts'
import { openPostgres } from './postgres.ts'
import { redact, withRedactedLogs } from './redaction.ts'
import { withRefusedWrites } from './refused-writes.ts'
import { createSchemaCache } from './schema-cache.ts'
import { readSettings } from './settings.ts'
import { withUploads } from './uploads.ts'
import { readBackendOptions, readSwitch } from './variables.ts'
import { withWallets } from './wallets.ts'

export interface EmbeddedOptions {
  /** The folder for the keys, the stored pictures and, if `databaseUrl` is not set, the database. */
  dataDir: string
  /** A PostgreSQL server to use instead of PGlite: postgresql://user:password@host:port/database. */
  databaseUrl?: string
  /** For `port` and `mailPort`, 0 means a free port. */
  port: number
  mailPort: number
  siteUrl: string
  /** Whether an email address must be confirmed before its owner can sign in. */
  confirmations?: boolean
  /** Whether to fill an empty database with the demonstration. */
  demo?: boolean
  log?: (line: string) => void
  /** A different folder of migrations, for tests. */
  migrations?: string
}

export interface EmbeddedBackend {
  url: string
  mailUrl: string
  publishableKey: string
  secretKey: string
  logKey: string
  sql<T>(text: string, params?: unknown[]): Promise<T[]>
  close(): Promise<void>
}

type Closers = (() => unknown)[]

/**
 * Starts the local backend on 127.0.0.1. On failure it closes everything and throws an error for the operator. A folder
 * that holds the demonstration of another version or day is emptied first, because its rows are made up.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedBackend> {
  const closers: Closers = []
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= closeAll(closers)
    return closed
  }
  const scope = { requestId: 'start', log: options.log ?? console.error }
  try {
    return { ...(await withRedactedLogs(scope, () => start(options, scope.log, closers))), close }
  } catch (error) {
    await close()
    if (!(error instanceof OtherDemo)) throw error
    scope.log(error.message)
    return startEmbedded(options)
  }
}

/** The data folder holds the demonstration, made with other migrations or on another day. */
class OtherDemo extends Error {}

async function closeAll(closers: Closers) {
  for (const closer of closers.toReversed()) await closer()
}

async function start(options: EmbeddedOptions, log: (line: string) => void, closers: Closers) {
  const dataDir = resolve(options.dataDir)
  closers.push(openDataFolder(dataDir))
  const keys = await loadKeys(dataDir)
  const { jwtSecret, publishableKey, secretKey, logKey } = keys

  // In reverse order: the servers finish before the database closes; the folder's lock comes last.
  const emptied: string[] = []
  closers.push(() => {
    for (const name of emptied) rmSync(join(dataDir, name), { recursive: true, force: true })
  })
  let database: OpenDatabase | undefined
  closers.push(() => database?.close())

  // The servers listen before the database opens, so that a port in use is reported immediately.
  let backend = unavailable
  const mailbox = openMailbox()
  const mail = await listen(options.mailPort, 'MAIL_PORT', mailbox.handler)
  closers.push(mail.close)
  const server = await listen(
    options.port,
    'SUPABASE_PORT',
    logged(log, (request) => backend(request)),
  )
  closers.push(server.close)

  const { databaseUrl } = options
  const db = databaseUrl ? await openPostgres(databaseUrl) : await openPglite(join(dataDir, 'pg'))
  database = db
  const { api, auth, storage } = readSettings()
  const email = { ...auth?.email, enable_confirmations: options.confirmations ?? false }
  const driver = inLanguage(mailbox.driver, db)
  const app = new App({
    connection: db.connection,
    api,
    auth: {
      ...auth,
      jwt_secret: jwtSecret,
      publishable_key: publishableKey,
      secret_key: secretKey,
      site_url: options.siteUrl,
      additional_redirect_urls: [`${options.siteUrl}/**`],
      email,
    },
    storage,
    studio: { enabled: false },
    options: { drivers: { email: driver }, server: { admin: false, disableStudio: true } },
  })
  const files = join(dataDir, 'files')
  app._storageAdapter = openFileStore(files, db)
  await app.init()
  await migrate(app, db, options.migrations).catch(async (error: unknown) => {
    if (!(error instanceof OtherSchema && options.demo && !databaseUrl && (await isDemo(db)))) throw error
    emptied.push('pg', 'files')
    throw new OtherDemo('The demonstration of another version is made again.')
  })
  if (options.demo && !databaseUrl && (await isOtherDay(db))) {
    emptied.push('pg', 'files')
    throw new OtherDemo('The demonstration of another day is made again.')
  }
  if (!databaseUrl)
    db.connection.config.schemaCache = await createSchemaCache(join(dataDir, 'pg', 'schema'), db)
  await sweepFiles(files, db)
  const sql = <T>(text: string, params?: unknown[]) =>
    db.queue(async () => (await db.session.query<T>(text, params)).rows)
  if (!options.migrations) {
    await sql('select public.keep_request_key($1)', [await requestKey(secretKey)])
    await sql('select public.keep_pools($1)', [impactPools.map(({ slug }) => slug)])
  }
  if (options.demo) await fillDemo(sql, `${new URL(options.siteUrl).host}/transparency/log`)
  await db.analyze()

  // Each module that extends the API wraps the handler of the module before it.
  const { siteUrl } = options
  const uploads = withUploads(async (request) => app.fetch(request))
  const withMail = withMails(uploads, { db, driver, siteUrl, email })
  const timed = withPasswordTiming(withMail, { db, confirmations: email.enable_confirmations })
  const assured = withAssurance(timed, db, jwtSecret)
  const withSecondFactor = withFactors(assured, { db, siteUrl })
  const administered = withFactorAdministration(withSecondFactor, { db, secretKey })
  const refusing = withRefusedWrites(withJsonTexts(administered, db), { db, secretKey })
  const handler = withApiVersion(asHosted(withWallets(refusing, { db, siteUrl })))
  const answer: Handler = (request) => db.queue(() => handler(request))
  backend = options.demo ? async (request) => (await answerDemoChain(request)) ?? answer(request) : answer
  closers.push(() => {
    backend = unavailable
  })
  if (options.demo)
    await storeDemoPictures(sql, (request) => backend(request), { url: server.url, secretKey })
  return { url: server.url, mailUrl: mail.url, publishableKey, secretKey, logKey, sql }
}

/** The response while the database is not open. */
const unavailable: Handler = async () => Response.json({ message: 'Service unavailable' }, { status: 503 })

/**
 * Gives every request an id, and reduces its log output to the code of the error, the constraint and the id.
 * Responds with 500 if the handler throws.
 */
function logged(log: (line: string) => void, handler: Handler): Handler {
  return (request) => {
    const requestId = randomUUID()
    return withRedactedLogs({ requestId, log }, async () => {
      try {
        const response = await handler(request)
        response.headers.set('sb-request-id', requestId)
        return response
      } catch (error) {
        console.error(error)
        return Response.json({ message: 'An unexpected error occurred' }, { status: 500 })
      }
    })
  }
}

async function main() {
  const { env } = process
  const backend = await startEmbedded({
    ...readBackendOptions(env),
    siteUrl: env.SITE_URL || 'http://127.0.0.1:8787',
    demo: readSwitch(env, 'DEMO'),
  })
  const stop = async () => {
    await backend.close()
    process.exit()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  onParentExit(stop)
  console.log(`emails ${backend.mailUrl}`)
  console.log(`publishable key ${backend.publishableKey}`)
  console.log(`ready ${backend.url}`)
}

if (import.meta.main) {
  // Node's own report would print the parameters of a failed query.
  process.on('uncaughtException', (error: Error) => {
    console.error(redact(error, 'none'))
    process.exit(1)
  })
  main().catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
}
