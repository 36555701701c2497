import type { DurableObjectNamespace, ImagesBinding, KVNamespace, RateLimit } from '@cloudflare/workers-types'
import { concatenate, encodeHex, sha256 } from '../bytes.ts'
import { type ImpactPool, impactPools, slugPattern } from '../impact-pools.ts'
import { allLocales, type Locale, publishedLocales } from '../locales/locales.ts'
import { isLoopback, outsideUrlFault } from './outside-url.ts'
import {
  address,
  count,
  decimal,
  each,
  link,
  list,
  matching,
  oneOf,
  optional,
  type Reader,
  required,
  text,
  usually,
  VariableFault,
} from './variable.ts'

/**
 * A text that matches a pattern with properties of Unicode. V8 loads the properties when it reads a literal, also in a
 * function that does not run, so these patterns are no literals (decision 007).
 */
const matchingUnicode = (pattern: () => RegExp, message: string) => (value: string) =>
  matching(pattern(), message)(value)

const optionalLink = optional(link)
const optionalAddress = optional(address)
const optionalText = optional(matching(/./s, 'must not be empty'))
const flag: Reader<boolean> = usually(false, (value) => oneOf(['0', '1'])(value) === '1')
const addresses = list((value) => address(value).toLowerCase())
const urls = list((value) => {
  if (!/^https?:/.test(link(value))) throw new VariableFault('each must be an http or https address')
  return value
})

const tokenForm = matching(
  /^[^:]{1,32}:(native|0x[0-9a-fA-F]{40}):\d{1,2}(:(usd|0x[0-9a-fA-F]{40})?)?$/,
  'each must be SYMBOL:address:decimals, and behind that :usd or : and the address of a price feed',
)

/**
 * A token in the form SYMBOL:address:decimals:value. The address is the address of the token's contract or
 * `native`. The value is `usd` (one to one), the address of a price feed, or empty.
 */
function watchedToken(entry: string) {
  const [symbol = '', place = '', decimals = '', value = ''] = tokenForm(entry).split(':')
  return {
    symbol,
    address: place === 'native' ? null : place.toLowerCase(),
    decimals: Number(decimals),
    value: value === 'usd' ? ('usd' as const) : value ? { feed: value.toLowerCase() } : null,
  }
}

const formerForm = matching(
  new RegExp(`^${slugPattern}:0x[0-9a-fA-F]{40}:\\d{4}-\\d\\d-\\d\\d:(lost|stolen|replaced)$`),
  'each must be account:address:year-month-day:reason, and the reason lost, stolen or replaced',
)

/** A wallet that was ours until a given day, in the form account:address:day:reason. */
function formerWallet(entry: string) {
  const [account = '', address = '', day = '', reason = ''] = formerForm(entry).split(':')
  return { account, address, day, reason: reason as 'lost' | 'stolen' | 'replaced' }
}

/** A percentage above 0 with at most two decimals, such as 2 or 0.25. */
const percentage = (value: string) => {
  const isPercentage =
    /^(0|[1-9]\d?|100)(\.\d{1,2})?$/.test(value) && Number(value) > 0 && Number(value) <= 100
  if (!isPercentage)
    throw new VariableFault('must be a percentage above 0 and at most 100, with at most two decimals')
  return value
}

/** Addresses whose tokens do not count in votes. The log entry of a vote names each. */
function excludedAddresses(value?: string): string[] {
  const all = addresses(value)
  if (all.length > 100) throw new VariableFault('has more than 100 addresses')
  return all
}

/** A verifier key of type 0x04: an Ed25519 key for cosignatures (C2SP tlog-cosignature, 'Format'). */
const witnessKey = /^(?<name>[^\s+]{1,200})\+(?<id>[0-9a-f]{8})\+(?<key>B[A-P][A-Za-z0-9+/]{42})$/

/** True if the key ID of a verifier key matches its name and key. */
async function hasItsKeyId(vkey: string): Promise<boolean> {
  const { name = '', id = '', key = '' } = witnessKey.exec(vkey)?.groups ?? {}
  const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0))
  const hash = await sha256(concatenate([new TextEncoder().encode(`${name}\n`), bytes]))
  return encodeHex(hash.subarray(0, 4)) === id
}

/** An https URL, or an http URL of this machine, for tests and for an operator's own witness. */
const witnessUrl = /^(https:\/\/[^\s/?#]+|http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?)(\/[^\s?#]*)?$/

/** A witness: its verifier key, its URL, and optionally a link to its operator and the operator's name. */
function witness(entry: string) {
  const [vkey = '', url = '', ...rest] = entry.trim().split(/\s+/)
  const fault = !witnessKey.test(vkey)
    ? 'each must begin with the verifier key of a witness (type 0x04)'
    : !witnessUrl.test(url) && 'each must have an https address after its verifier key'
  if (fault) throw new VariableFault(fault)
  const link = /^https:\/\/\S+$/.test(rest[0] ?? '') ? (rest.shift() ?? null) : null
  const name = vkey.slice(0, vkey.indexOf('+'))
  return { vkey, name, url: url.replace(/\/+$/, ''), link, operator: rest.join(' ').slice(0, 100) || null }
}

/** Witnesses, separated by semicolons. A cosignature has no name, so each key may occur only once. */
function witnesses(value = '') {
  const entries = value.split(';').filter((part) => part.trim())
  const all = each(entries, witness)
  if (all.length > 20) throw new VariableFault('has more than 20 witnesses')
  if (new Set(all.map(({ vkey }) => vkey.slice(-44))).size < all.length)
    throw new VariableFault('the same key is there twice')
  return all
}

/** Sources of statements: each `x:` with the id of an X user, or the URL of a feed. */
function statementSources(value?: string): string[] {
  const all = list((entry) => {
    if (/^x:\d{1,20}$/.test(entry)) return entry
    if (/^https?:/.test(entry) && entry.length <= 500 && URL.canParse(entry)) return new URL(entry).href
    throw new VariableFault('each must be x:<user id> or the https address of a feed')
  })(value)
  if (all.length > 20) throw new VariableFault('has more than 20 sources')
  return all
}

/** The order of the curve secp256k1, which each private key is below. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** A private key of the chain. The library that signs would print the digits of another number. */
function chainKey(value: string): `0x${string}` {
  const key = matching(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')(value) as `0x${string}`
  if (BigInt(key) === 0n || BigInt(key) >= curveOrder)
    throw new VariableFault('must be a private key: make another one')
  return key
}

/** A list of words or phrases, separated by commas. */
function words(value = ''): string[] {
  const all = value.split(/[,，、\n]/).flatMap((word) => word.trim() || [])
  if (all.length > 200) throw new VariableFault('has more than 200 words')
  return each(all, (word) => {
    if (word.length > 60) throw new VariableFault('each may have 60 characters')
    return matchingUnicode(() => /[\p{L}\p{N}]/u, 'each must have a letter or a digit')(word)
  })
}

const xApi = 'https://api.x.com'

type PoolWallets = Record<ImpactPool['walletVariable'], typeof optionalAddress>
const poolWallets = Object.fromEntries(
  impactPools.map(({ walletVariable }) => [walletVariable, optionalAddress]),
) as PoolWallets

const readers = {
  SITE_URL: required((value) => new URL(link(value)).origin),
  SUPABASE_URL: required((value) => link(value).replace(/\/+$/, '')),
  SUPABASE_PUBLISHABLE_KEY: required(text),
  SUPABASE_JWT_ISSUER: optionalText,
  MINIMUM_RESPONSE_MS: usually(500, count(0, 10_000)),
  SOCIAL_URL: optionalLink,
  COMMUNITY_URL: optionalLink,
  CHART_URL: optionalLink,
  /** Without it, the explorer of a known chain (chains.ts). */
  EXPLORER_URL: optionalLink,
  CONTACT_EMAIL: optional(matching(/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, 'Invalid email address')),
  TOKEN_ADDRESS: optionalAddress,
  TREASURY_WALLET: optionalAddress,
  DONATION_WALLET: optionalAddress,
  ...poolWallets,
  FORMER_WALLETS: list(formerWallet),
  WALLET_CHAIN_ID: usually(56, count(1)),
  SUPABASE_FORWARDING_KEY: optionalText,
  SUPABASE_SECRET_KEY: optionalText,
  LOG_KEY: optional(
    matching(/^MC4CAQAwBQYDK2VwBCIEI[A-Za-z0-9+/]{43}$/, 'must be an Ed25519 key, PKCS8 DER in base64'),
  ),
  ANCHOR_KEY: optional(chainKey),
  ANCHOR_MINUTES: usually(60, count(1, 100_000)),
  ANCHOR_DAY_MOST: usually(24, count(1, 1_000)),
  LOG_ORIGIN: optional(
    matchingUnicode(() => /^[^\p{White_Space}\p{Cc}+]{1,200}$/u, 'must not contain spaces or plus'),
  ),
  WITNESSES: witnesses,
  WITNESS_QUORUM: optional(count(1)),
  CHECK_RPC_URLS: urls,
  CHAIN_ID: usually(56, count(1, 2_147_483_647)),
  CHAIN_RPC_URLS: urls,
  CHAIN_START_BLOCK: optional(count(0)),
  CHAIN_CONFIRMATIONS: usually(15, count(1, 10_000)),
  CHAIN_TOKENS: list(watchedToken),
  CHAIN_TAX_SENDERS: addresses,
  CHAIN_DREAM_WALLETS: addresses,
  PAYER_KEY: optional(chainKey),
  PAYMENT_NOTICE_HOURS: usually(24, count(1, 720)),
  PAYMENT_LIMIT: usually(1000, count(1, 1_000_000_000)),
  PAYMENT_MAX_GAS_GWEI: usually(10, count(1, 100_000)),
  SANCTIONS_ORACLE: optionalAddress,
  STATEMENT_SOURCES: statementSources,
  STATEMENT_WORDS: words,
  X_BEARER_TOKEN: optional(matching(/^[!-~]{1,500}$/, 'must not contain spaces')),
  X_INTERVAL_MINUTES: usually(15, count(1, 1440)),
  X_API_URL: usually(xApi, link),
  FUNDME_OPEN: flag,
  FUNDME_QUORUM: usually('2', percentage),
  FUNDME_EXCLUDED: excludedAddresses,
  HEALTH_KEY: optional(matching(/^.{16,}$/s, 'must have 16 characters or more')),
  MAIL_FROM: optional(
    matchingUnicode(
      () => /^([^<>\p{Cc}]{1,64} <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
      'must be an address, or Name <address>',
    ),
  ),
  MAIL_API_KEY: optionalText,
  MAIL_API_URL: usually('https://api.resend.com/emails', link),
  MAIL_EVENTS_KEY: optional(matching(/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/, 'must begin with whsec_')),
  // How long a page waits for a response from the backend. Tests on a busy machine wait longer.
  READ_TIMEOUT_MS: usually(2000, decimal),
  CLOCK_RATE: usually(1, decimal),
  CLOCK_START: usually(0, decimal),
  PREVIEW_LOCALES: list(oneOf([...allLocales.keys()])),
  // 'off' renders public pages for each visitor. Tests compare these pages with composed ones.
  PAGE_CACHE: usually('on', oneOf(['on', 'off'])),
  // The last day of the demonstration's rows in ms, if fixed: pages show its goals as of that day.
  DEMO_DAY: usually(0, decimal),
  DEMO: flag,
}

/** Every variable that the worker reads. */
export const variableNames = Object.keys(readers)

/** The variables of wallets of pools that are not in the table: a typing error would leave a pool without a wallet. */
export function unknownWallets(env: object): string[] {
  return Object.keys(env).filter((name) => name.startsWith('POOL_WALLET_') && !variableNames.includes(name))
}

type Variables = { [Name in keyof typeof readers]: ReturnType<(typeof readers)[Name]> }

/** The 32 secret bytes of an Ed25519 key in PKCS8, as a key of the chain is written. */
function seedOf(key: string): string {
  const bytes = Array.from(atob(key).slice(-32), (letter) =>
    letter.charCodeAt(0).toString(16).padStart(2, '0'),
  )
  return `0x${bytes.join('')}`
}

/**
 * Checks that concern several variables. A payer needs two endpoints, because one alone could say that a payment failed,
 * and it would be ordered again. A site that others can open needs a way to contact it. A quorum needs its witnesses, and an X source needs its token. The
 * URL of a source must be a public address. CHAIN_RPC_URLS requires the other variables for following the
 * chain, without which the ledger would stay empty. MAIL_API_KEY requires the variables with which the
 * scheduled work sends emails, and FUNDME_OPEN those with which it finds gifts.
 */
function checkTogether(config: Variables, refuse: (name: keyof Variables, message: string) => void): void {
  const local = isLoopback(config.SITE_URL)
  // Endpoints of this machine may be several nodes of one host.
  const hosts = config.CHAIN_RPC_URLS.map((url) => (isLoopback(url) ? url : new URL(url).hostname))
  if (config.PAYER_KEY && new Set(hosts).size < 2)
    refuse('CHAIN_RPC_URLS', 'must be two or more, of two host names, with PAYER_KEY')
  if (config.PAYER_KEY && config.PAYER_KEY.toLowerCase() === config.ANCHOR_KEY?.toLowerCase())
    refuse('PAYER_KEY', 'must not be the key of the anchors')
  if (config.PAYER_KEY && config.LOG_KEY && config.PAYER_KEY.toLowerCase() === seedOf(config.LOG_KEY))
    refuse('PAYER_KEY', 'must not be the key of the log')
  if (!local && !config.DEMO && !config.CONTACT_EMAIL && !config.COMMUNITY_URL && !config.SOCIAL_URL)
    refuse('CONTACT_EMAIL', 'is needed, or COMMUNITY_URL or SOCIAL_URL, so that visitors can reach you')
  if ((config.WITNESS_QUORUM ?? 0) > config.WITNESSES.length)
    refuse('WITNESS_QUORUM', 'must not be greater than the number of WITNESSES')
  for (const source of config.STATEMENT_SOURCES) {
    const fault = source.startsWith('x:') ? null : outsideUrlFault(source, local)
    if (fault) refuse('STATEMENT_SOURCES', `${new URL(source).host} ${fault}`)
  }
  const apiFault = config.X_API_URL === xApi ? null : outsideUrlFault(config.X_API_URL, local)
  if (apiFault) refuse('X_API_URL', apiFault)
  if (config.STATEMENT_SOURCES.some((source) => source.startsWith('x:')) && !config.X_BEARER_TOKEN)
    refuse('X_BEARER_TOKEN', 'is needed for a source of X')
  const needWith = (other: string) => (name: keyof Variables, given: unknown) => {
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
}

/**
 * Sets the defaults that depend on other variables. The log's origin is 'the scheme-less URL prefix of the
 * log with no trailing slashes' (C2SP tlog-tiles, 'Parameters').
 */
function withDefaults({
  LOG_ORIGIN,
  PREVIEW_LOCALES,
  SUPABASE_JWT_ISSUER,
  WITNESS_QUORUM,
  ...others
}: Variables) {
  return {
    ...others,
    /** The languages that the site offers. English is the first. */
    LOCALES: [...new Set([...publishedLocales, ...PREVIEW_LOCALES])].map(
      (code) => allLocales.get(code) as Locale,
    ),
    /** The default is more than half of the witnesses. */
    WITNESS_QUORUM: WITNESS_QUORUM ?? Math.ceil((others.WITNESSES.length + 1) / 2),
    /** True if token holders vote on goals: the token exists, and two endpoints can confirm each weight. */
    VOTING_OPEN:
      others.FUNDME_OPEN && others.TOKEN_ADDRESS !== undefined && others.CHAIN_RPC_URLS.length >= 2,
    SUPABASE_JWT_ISSUER: SUPABASE_JWT_ISSUER ?? `${others.SUPABASE_URL}/auth/v1`,
    LOG_ORIGIN: LOG_ORIGIN ?? `${new URL(others.SITE_URL).host}/transparency/log`,
  }
}

/** The worker's configuration, as .dev.vars.example documents it. */
export type Config = ReturnType<typeof withDefaults>

export type Witness = Config['WITNESSES'][number]

/** The objects that wrangler.toml binds; its comments state what a deployment lacks without each. */
export interface Bindings {
  LIVE?: DurableObjectNamespace
  IMAGES?: ImagesBinding
  CHECKPOINTS?: KVNamespace
  LIMIT_ADDRESS?: RateLimit
  LIMIT_ACCOUNT?: RateLimit
  LIMIT_CODE?: RateLimit
  LIMIT_MAIL?: RateLimit
  LIMIT_SESSION?: RateLimit
  /** The name of a scheduler that is no deployment (scripts/start.ts). */
  SCHEDULER?: string
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
  const faults: string[] = []
  const refuse = (name: string, message: string) => faults.push(`${name}: ${message}`)
  const variables = readAll(env, refuse)
  for (const name of unknownWallets(env))
    refuse(name, 'no pool of app/platform/impact-pools.ts has this variable')
  if (faults.length === 0) checkTogether(variables, refuse)
  if (faults.length > 0) throw new Error(`Configuration: ${faults.join('; ')}`)
  const config = withDefaults(variables)
  parsed = { env, config }
  return config
}

let checked: Config['WITNESSES'] | undefined

/**
 * Throws an Error like those of `readConfig` if the key ID of a witness does not belong to its key. It is apart because
 * the platform's hash is asynchronous, and a synchronous one would be a tenth of the entry (decision 007).
 */
export async function checkWitnesses({ WITNESSES }: Pick<Config, 'WITNESSES'>): Promise<void> {
  if (checked === WITNESSES) return
  for (const [at, { vkey }] of WITNESSES.entries())
    if (!(await hasItsKeyId(vkey)))
      throw new Error(
        `Configuration: WITNESSES.${at}: the key ID of a verifier key must belong to its name and key`,
      )
  checked = WITNESSES
}

/** Reads each variable of the bindings. An empty variable counts as not set. */
function readAll(env: Env, refuse: (name: string, message: string) => void): Variables {
  const read = ([name, reader]: [string, Reader<unknown>]) => {
    const value = env[name] === '' ? undefined : env[name]
    try {
      if (value !== undefined && typeof value !== 'string') throw new VariableFault('must be a text')
      return [name, reader(value)]
    } catch (error) {
      if (!(error instanceof VariableFault)) throw error
      refuse(error.at === undefined ? name : `${name}.${error.at}`, error.message)
      return [name, undefined]
    }
  }
  return Object.fromEntries(Object.entries(readers).map(read)) as Variables
}
