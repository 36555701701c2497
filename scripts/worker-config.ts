import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import * as z from 'zod'

/**
 * The settings of wrangler.toml that this project uses. Any other setting is an error: it would have no effect here.
 */
const schema = z.strictObject({
  name: z.string(),
  main: z.string(),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  // Only `wrangler deploy` reads the next five. `serve` lists the modules and runs the schedule itself.
  no_bundle: z.boolean(),
  find_additional_modules: z.boolean(),
  rules: z.array(z.unknown()),
  observability: z.unknown(),
  triggers: z.object({ crons: z.array(z.string()) }),
  assets: z.strictObject({ directory: z.string() }),
  durable_objects: z.strictObject({
    bindings: z.array(z.strictObject({ name: z.string(), class_name: z.string() })),
  }),
  // Only `wrangler deploy` reads the migrations of Durable Objects.
  migrations: z.unknown(),
  images: z.strictObject({ binding: z.string() }),
  // Only a deployment has a namespace here: `serve` stores CHECKPOINTS in a folder instead.
  kv_namespaces: z.array(z.strictObject({ binding: z.literal('CHECKPOINTS'), id: z.string() })).optional(),
  vars: z.record(z.string(), z.string()),
  ratelimits: z.array(
    z.strictObject({
      name: z.string(),
      namespace_id: z.string(),
      simple: z.strictObject({ limit: z.number(), period: z.union([z.literal(10), z.literal(60)]) }),
    }),
  ),
})

export type WorkerConfig = z.infer<typeof schema>

/** Reads wrangler.toml. Throws for a setting that is missing, malformed or unknown. */
export function readWorkerConfig(): WorkerConfig {
  const result = schema.safeParse(parse(readFileSync('wrangler.toml', 'utf8')))
  if (!result.success) throw new Error(`wrangler.toml: ${z.prettifyError(result.error)}`)
  return result.data
}

/**
 * Converts the worker of wrangler.toml to options of miniflare, without its modules.
 * @param limits whether the rate limits apply
 * @param live whether the worker has the hub of live pages
 */
export function miniflareOptions(config: WorkerConfig, { limits = true, live = true } = {}) {
  const { compatibility_date, compatibility_flags } = config
  return {
    name: config.name,
    compatibilityDate: compatibility_date,
    compatibilityFlags: compatibility_flags,
    bindings: config.vars,
    durableObjects: live
      ? Object.fromEntries(
          config.durable_objects.bindings.map(({ name, class_name }) => [
            name,
            { className: class_name, useSQLite: true },
          ]),
        )
      : {},
    images: config.images,
    ratelimits: limits ? Object.fromEntries(config.ratelimits.map((one) => [one.name, one])) : {},
  }
}

/** The option of miniflare that serves the built assets before the worker runs. */
export function assetOptions({ assets, compatibility_date, compatibility_flags }: WorkerConfig) {
  return {
    directory: assets.directory,
    routerConfig: { has_user_worker: true },
    assetConfig: { compatibility_date, compatibility_flags },
  }
}
