import type { DurableObjectNamespace, ImagesBinding, KVNamespace, RateLimit } from '@cloudflare/workers-types'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as z from 'zod'
import { type ImpactPool, impactPools, slugPattern } from '../impact-pools.ts'
import { allLocales, type Locale, publishedLocales } from '../locales/locales.ts'
import { isLoopback, outsideUrlFault } from './outside-url.ts'

// Each isolate makes all schemas when it starts, so variables of the same form share one schema.
const link = z.url({ protocol: /^https?$/ })
const optionalLink = link.optional()
const origin = link.transform((value) => new URL(value).origin)
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be a chain address (0x and 40 hex digits)')
const optionalAddress = address.optional()
const optionalText = z.string().optional()
const textOrEmpty = z.string().default('')
const numberOrZero = z.coerce.number().default(0)
const flag = z
  .enum(['0', '1'])
  .optional()
  .transform((value) => value === '1')
const parts = textOrEmpty.transform((value) => value.split(/[\s,]+/).filter(Boolean))
const list = <T>(entry: z.ZodType<T, string>) =>
  parts.pipe(z.array(entry)).transform((entries) => [...new Set(entries)])
const addresses = list(address.toLowerCase())
const urls = list(z.url({ protocol: /^https?$/, error: 'each must be an http or https address' }))

/**
 * A token in the form SYMBOL:address:decimals:value. The address is the address of the token's contract or
 * `native`. The value is `usd` (one to one), the address of a price feed, or empty.
 */
const watchedToken = z
  .string()
  .regex(
    /^[^:]{1,32}:(native|0x[0-9a-fA-F]{40}):\d{1,2}(:(usd|0x[0-9a-fA-F]{40})?)?$/,
    'each must be SYMBOL:address:decimals, and behind that :usd or : and the address of a price feed',
  )
  .transform((text) => {
    const [symbol = '', place = '', decimals = '', value = ''] = text.split(':')
    return {
      symbol,
      address: place === 'native' ? null : place.toLowerCase(),
      decimals: Number(decimals),
      value: value === 'usd' ? ('usd' as const) : value ? { feed: value.toLowerCase() } : null,
    }
  })

/** A wallet that was ours until a given day, in the form account:address:day:reason. */
const formerWallet = z
  .string()
  .regex(
    new RegExp(`^${slugPattern}:0x[0-9a-fA-F]{40}:\\d{4}-\\d\\d-\\d\\d:(lost|stolen|replaced)$`),
    'each must be account:address:year-month-day:reason, and the reason lost, stolen or replaced',
  )
  .transform((text) => {
    const [account = '', address = '', day = '', reason = ''] = text.split(':')
    return { account, address, day, reason: reason as 'lost' | 'stolen' | 'replaced' }
  })

/** A verifier key of type 0x04: an Ed25519 key for cosignatures (C2SP tlog-cosignature, 'Format'). */
const witnessKey = /^(?<name>[^\s+]{1,200})\+(?<id>[0-9a-f]{8})\+(?<key>B[A-P][A-Za-z0-9+/]{42})$/

/** True if the key ID of a verifier key matches its name and key. */
function hasItsKeyId(vkey: string): boolean {
  const { name = '', id = '', key = '' } = witnessKey.exec(vkey)?.groups ?? {}
  const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0))
  const expected = sha256(concatBytes(utf8ToBytes(`${name}\n`), bytes)).slice(0, 4)
  return hexToBytes(id).every((byte, at) => byte === expected[at])
}

/** An https URL, or an http URL of this machine, for tests and for an operator's own witness. */
const witnessUrl = /^(https:\/\/[^\s/?#]+|http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?)(\/[^\s?#]*)?$/

/** A witness: its verifier key, its URL, and optionally a link to its operator and the operator's name. */
const witness = z
  .string()
  .transform((text) => text.trim().split(/\s+/))
  .superRefine(([vkey = '', url = ''], check) => {
    const refuse = (message: string) => check.addIssue({ code: 'custom', message, continue: false })
    if (!witnessKey.test(vkey)) refuse('each must begin with the verifier key of a witness (type 0x04)')
    else if (!hasItsKeyId(vkey)) refuse('the key ID of a verifier key must belong to its name and key')
    if (!witnessUrl.test(url)) refuse('each must have an https address after its verifier key')
  })
  .transform(([vkey = '', url = '', ...rest]) => {
    const link = /^https:\/\/\S+$/.test(rest[0] ?? '') ? (rest.shift() ?? null) : null
    const name = vkey.slice(0, vkey.indexOf('+'))
    return { vkey, name, url: url.replace(/\/+$/, ''), link, operator: rest.join(' ').slice(0, 100) || null }
  })

/**
 * A list of witnesses, separated by semicolons. A cosignature does not contain the name, so each key may
 * occur only once.
 */
const witnesses = textOrEmpty
  .transform((text) => text.split(';').filter((part) => part.trim()))
  .pipe(z.array(witness).max(20))
  .refine(
    (all) => new Set(all.map(({ vkey }) => vkey.slice(-44))).size === all.length,
    'the same key is there twice',
  )

/** A source of statements: `x:` with the id of an X user, or the URL of a feed. */
const statementSource = z.string().transform((text, check) => {
  if (/^x:\d{1,20}$/.test(text)) return text
  if (/^https?:/.test(text) && text.length <= 500 && URL.canParse(text)) return new URL(text).href
  check.addIssue('each must be x:<user id> or the https address of a feed')
  return z.NEVER
})

/** A list of words or phrases, separated by commas. */
const words = textOrEmpty
  .transform((text) => text.split(/[,，、\n]/).flatMap((word) => word.trim() || []))
  .pipe(
    z
      .array(
        z
          .string()
          .max(60)
          .regex(/[\p{L}\p{N}]/u, 'each must have a letter or a digit'),
      )
      .max(200),
  )

const count = z.coerce.number().int()
type PoolWallets = Record<ImpactPool['walletVariable'], typeof optionalAddress>
const poolWallets = Object.fromEntries(
  impactPools.map(({ walletVariable }) => [walletVariable, optionalAddress]),
) as PoolWallets

const variables = z.object({
  SITE_URL: origin,
  SUPABASE_URL: link.transform((value) => value.replace(/\/+$/, '')),
  SUPABASE_PUBLISHABLE_KEY: z.string().min(1),
  SUPABASE_JWT_ISSUER: optionalText,
  MINIMUM_RESPONSE_MS: count.min(0).max(10_000).default(500),
  SOCIAL_URL: optionalLink,
  COMMUNITY_URL: optionalLink,
  CHART_URL: optionalLink,
  EXPLORER_URL: link.default('https://bscscan.com'),
  CONTACT_EMAIL: z.email().optional(),
  TOKEN_ADDRESS: optionalAddress,
  TREASURY_WALLET: optionalAddress,
  DONATION_WALLET: optionalAddress,
  ...poolWallets,
  FORMER_WALLETS: list(formerWallet),
  WALLET_CHAIN_ID: count.positive().default(56),
  SUPABASE_FORWARDING_KEY: optionalText,
  SUPABASE_SECRET_KEY: optionalText,
  LOG_KEY: z
    .base64()
    .regex(/^MC4CAQAwBQYDK2VwBCIEI/, 'must be an Ed25519 key, PKCS8 DER in base64')
    .optional(),
  ANCHOR_KEY: z
    .templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hex digits')])
    .optional(),
  ANCHOR_MINUTES: count.min(1).max(100_000).default(60),
  ANCHOR_DAY_MOST: count.min(1).max(1_000).default(24),
  LOG_ORIGIN: z
    .string()
    .regex(/^[^\p{White_Space}\p{Cc}+]{1,200}$/u, 'must not contain spaces or plus')
    .optional(),
  WITNESSES: witnesses,
  WITNESS_QUORUM: count.positive().optional(),
  CHECK_RPC_URLS: urls,
  CHAIN_ID: count.positive().max(2_147_483_647).default(56),
  CHAIN_RPC_URLS: urls,
  CHAIN_START_BLOCK: count.nonnegative().optional(),
  CHAIN_CONFIRMATIONS: count.min(1).max(10_000).default(15),
  CHAIN_TOKENS: list(watchedToken),
  CHAIN_TAX_SENDERS: addresses,
  CHAIN_DREAM_WALLETS: addresses,
  STATEMENT_SOURCES: list(statementSource).refine((all) => all.length <= 20, 'has more than 20 sources'),
  STATEMENT_WORDS: words,
  X_BEARER_TOKEN: z
    .string()
    .regex(/^[!-~]{1,500}$/, 'must not contain spaces')
    .optional(),
  X_INTERVAL_MINUTES: count.min(1).max(1440).default(15),
  X_API_URL: link.default('https://api.x.com'),
  FUNDME_OPEN: flag,
  HEALTH_KEY: z.string().min(16).optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>\p{Cc}]{1,64} <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
      'must be an address, or Name <address>',
    )
    .optional(),
  MAIL_API_KEY: z.string().min(1).optional(),
  MAIL_API_URL: link.default('https://api.resend.com/emails'),
  MAIL_EVENTS_KEY: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/, 'must begin with whsec_')
    .optional(),
  // How long a page waits for a response from the backend. Tests on a busy machine wait longer.
  READ_TIMEOUT_MS: z.coerce.number().default(2_000),
  CLOCK_RATE: z.coerce.number().default(1),
  CLOCK_START: numberOrZero,
  PREVIEW_LOCALES: list(z.enum([...allLocales.keys()])),
  // 'off' renders public pages for each visitor. Tests compare these pages with pages composed from the
  // cache.
  PAGE_CACHE: z.enum(['on', 'off']).default('on'),
  // The last day of the demonstration's rows, in milliseconds. Pages show its goals as they are on that day.
  DEMO_DAY: numberOrZero,
  DEMO: flag,
})

/**
 * Checks that concern several variables. A quorum needs its witnesses, and an X source needs its token. The
 * URL of a source must be a public address. CHAIN_RPC_URLS requires the other variables for following the
 * chain, without which the ledger would stay empty. MAIL_API_KEY requires the variables with which the
 * scheduled work sends emails, and FUNDME_OPEN those with which it finds gifts.
 */
const checked = variables.superRefine((config, check) => {
  const local = isLoopback(config.SITE_URL)
  const refuse = (name: keyof typeof config, message: string) =>
    check.addIssue({ code: 'custom', path: [name], message })
  if ((config.WITNESS_QUORUM ?? 0) > config.WITNESSES.length)
    refuse('WITNESS_QUORUM', 'must not be greater than the number of WITNESSES')
  for (const source of config.STATEMENT_SOURCES) {
    const fault = source.startsWith('x:') ? null : outsideUrlFault(source, local)
    if (fault) refuse('STATEMENT_SOURCES', `${new URL(source).host} ${fault}`)
  }
  const apiFault = outsideUrlFault(config.X_API_URL, local)
  if (apiFault) refuse('X_API_URL', apiFault)
  if (config.STATEMENT_SOURCES.some((source) => source.startsWith('x:')) && !config.X_BEARER_TOKEN)
    refuse('X_BEARER_TOKEN', 'is needed for a source of X')
  const needWith = (other: string) => (name: keyof typeof config, given: unknown) => {
    if (!given) refuse(name, `is needed with ${other}`)
  }
  if (config.MAIL_API_KEY) {
    const need = needWith('MAIL_API_KEY')
    need('MAIL_FROM', config.MAIL_FROM)
    need('SUPABASE_SECRET_KEY', config.SUPABASE_SECRET_KEY)
  } else if (config.MAIL_FROM) needWith('MAIL_FROM')('MAIL_API_KEY', null)
  if (config.FUNDME_OPEN && !config.DEMO) {
    const need = needWith('FUNDME_OPEN')
    need('SUPABASE_SECRET_KEY', config.SUPABASE_SECRET_KEY)
    need('CHAIN_RPC_URLS', config.CHAIN_RPC_URLS.length)
  }
  if (config.CHAIN_RPC_URLS.length === 0) return
  const need = needWith('CHAIN_RPC_URLS')
  need('CHAIN_START_BLOCK', config.CHAIN_START_BLOCK !== undefined)
  need('CHAIN_TOKENS', config.CHAIN_TOKENS.length)
  need('TREASURY_WALLET', config.TREASURY_WALLET ?? config.DONATION_WALLET)
})

/**
 * Sets the defaults that depend on other variables. The log's origin is 'the scheme-less URL prefix of the
 * log with no trailing slashes' (C2SP tlog-tiles, 'Parameters').
 */
const schema = checked.transform((config) => {
  const { LOG_ORIGIN, PREVIEW_LOCALES, SUPABASE_JWT_ISSUER, WITNESS_QUORUM, ...others } = config
  return {
    ...others,
    /** The languages that the site offers. English is the first. */
    LOCALES: [...new Set([...publishedLocales, ...PREVIEW_LOCALES])].map(
      (code) => allLocales.get(code) as Locale,
    ),
    /** The default is more than half of the witnesses. */
    WITNESS_QUORUM: WITNESS_QUORUM ?? Math.ceil((others.WITNESSES.length + 1) / 2),
    SUPABASE_JWT_ISSUER: SUPABASE_JWT_ISSUER ?? `${others.SUPABASE_URL}/auth/v1`,
    LOG_ORIGIN: LOG_ORIGIN ?? `${new URL(others.SITE_URL).host}/transparency/log`,
  }
})

/** Every variable that the worker reads. */
export const variableNames = Object.keys(variables.shape)

/** The worker's configuration, as .dev.vars.example documents it. */
export type Config = z.infer<typeof schema>

export type Witness = Config['WITNESSES'][number]

/**
 * The objects that wrangler.toml binds. The comments in that file state what a deployment lacks without each
 * object.
 */
export interface Bindings {
  LIVE?: DurableObjectNamespace
  IMAGES?: ImagesBinding
  CHECKPOINTS?: KVNamespace
  LIMIT_ADDRESS?: RateLimit
  LIMIT_ACCOUNT?: RateLimit
  LIMIT_CODE?: RateLimit
  LIMIT_MAIL?: RateLimit
  LIMIT_SESSION?: RateLimit
}

/** The bindings of the worker by name. They include the variables as strings. */
export type Env = Bindings & Record<string, unknown>

/** The part of the platform's ExecutionContext that the worker uses. */
export interface Execution {
  /** Lets `work` continue after the response. */
  waitUntil(work: Promise<unknown>): void
}

/** The part of the platform's ScheduledController that the worker uses. */
export interface Schedule {
  /** In milliseconds since 1970. */
  scheduledTime: number
}

/**
 * True if the log is signed but no KV namespace stores its checkpoints. The job would then sign a restored
 * backup without noticing the rollback. The demonstration does not need such a namespace.
 */
export function lacksCheckpointMemory({ LOG_KEY, DEMO }: Config, { CHECKPOINTS }: Bindings): boolean {
  return Boolean(LOG_KEY) && !DEMO && !CHECKPOINTS
}

let parsed: { env: Env; config: Config } | undefined

/**
 * The variables of `env`, parsed once for each isolate. Throws an Error with the names of all wrong
 * variables, but without their values, because some values are secrets.
 */
export function readConfig(env: Env): Config {
  if (parsed?.env === env) return parsed.config
  const result = schema.safeParse(withoutEmpty(env))
  if (!result.success) {
    const faults = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`Configuration: ${faults.join('; ')}`)
  }
  parsed = { env, config: result.data }
  return result.data
}

/** The variables among the bindings. An empty variable counts as not set. */
function withoutEmpty(env: Env): Record<string, unknown> {
  return Object.fromEntries(variableNames.map((name) => [name, env[name] === '' ? undefined : env[name]]))
}
