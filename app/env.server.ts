import * as z from 'zod'

const origin = z.url({ protocol: /^https?$/ }).transform((value) => new URL(value).origin)
const link = z.url({ protocol: /^https?$/ })
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be a chain address (0x and 40 hex digits)')
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

const schema = z.object({
  SITE_URL: origin,
  SUPABASE_URL: z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, '')),
  SUPABASE_PUBLISHABLE_KEY: z.string().min(1),
  AVATAR_ORIGIN: optional(origin),
  SOCIAL_URL: optional(link).default('https://x.com'),
  COMMUNITY_URL: optional(link).default('https://t.me'),
  CHART_URL: optional(link).default('https://dexscreener.com/bsc'),
  EXPLORER_URL: optional(link).default('https://bscscan.com'),
  CONTACT_EMAIL: optional(z.email()),
  TOKEN_ADDRESS: optional(address),
  TREASURY_WALLET: optional(address),
  DONATION_WALLET: optional(address),
  POOL_WALLET_EDUCATION: optional(address),
  POOL_WALLET_RELIEF: optional(address),
  POOL_WALLET_ANIMALS: optional(address),
  WALLET_CHAIN_ID: optional(z.coerce.number().int().positive()).default(56),
  SUPABASE_FORWARDING_KEY: optional(z.string()),
  CLOCK_RATE: optional(z.coerce.number()).default(1),
  CLOCK_START: optional(z.coerce.number()).default(0),
  DEMO: optional(z.enum(['0', '1'])).transform((value) => value === '1'),
})

/** Every variable that the worker reads. */
export const variableNames = Object.keys(schema.shape)

/** The worker's configuration, as .dev.vars.example documents it. */
export type Config = z.infer<typeof schema>

/** What wrangler binds: the variables, as strings. */
export type Env = Record<string, unknown>

/** What the runtime gives beside a request. */
export interface Execution {
  /** Keeps the worker alive for what outlasts its response. */
  waitUntil(work: Promise<unknown>): void
}

let parsed: { env: Env; config: Config } | undefined

/**
 * The variables of `env`, parsed once for each isolate.
 * Throws an Error that names every variable at fault, never its value: some are secrets.
 */
export function readConfig(env: Env): Config {
  if (parsed?.env === env) return parsed.config
  const result = schema.safeParse(env)
  if (!result.success) {
    const faults = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`Configuration: ${faults.join('; ')}`)
  }
  parsed = { env, config: result.data }
  return result.data
}
