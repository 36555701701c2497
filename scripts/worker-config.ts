import { readFileSync } from 'node:fs'
import type { MiniflareOptions } from 'miniflare'
import { parse } from 'smol-toml'
import * as z from 'zod/mini'

/**
 * The settings of wrangler.toml that this project uses. Others are for a deployment alone, such as a domain, the account,
 * environments, limits and the placement: wrangler checks them.
 */
const schema = z.object({
  name: z.string(),
  main: z.string(),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  // Only `wrangler deploy` reads the next five. `serve` lists modules and runs the schedule itself.
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
  // Only a deployment uses this namespace: `serve` stores CHECKPOINTS in a folder.
  kv_namespaces: z.optional(z.array(z.strictObject({ binding: z.literal('CHECKPOINTS'), id: z.string() }))),
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

/** Reads wrangler.toml. Throws for a setting that is missing or malformed. */
export function readWorkerConfig(text = readFileSync('wrangler.toml', 'utf8')): WorkerConfig {
  const result = schema.safeParse(parse(text))
  if (!result.success) throw new Error(`wrangler.toml: ${z.prettifyError(result.error)}`)
  return result.data
}

/** The options of the one worker that miniflare runs. */
type MiniflareWorker = MiniflareOptions['workers'][number]['config']

/**
 * Converts the worker of wrangler.toml into miniflare's newer options, which refuse unknown settings. A
 * conversion through the older options would drop such settings silently.
 * @param modules the content of each module by name, the worker's own module first
 * @param variables the variables that override those in wrangler.toml
 * @param limits whether the rate limits apply
 * @param live whether the worker has the hub of live pages
 * @param checkpoints whether the worker has the KV namespace CHECKPOINTS
 */
export function workerOptions(
  config: WorkerConfig,
  modules: Record<string, string | Uint8Array<ArrayBuffer>>,
  { variables = {}, limits = true, live = true, checkpoints = false }: WorkerParts = {},
): MiniflareWorker {
  const env: MiniflareWorker['env'] = { [config.images.binding]: { type: 'images' } }
  const exports: MiniflareWorker['exports'] = {}
  for (const [name, value] of Object.entries({ ...config.vars, ...variables }))
    env[name] = { type: 'text', value }
  if (limits)
    for (const { name, namespace_id, simple } of config.ratelimits)
      env[name] = { type: 'rate-limit', namespace: namespace_id, simple }
  if (live)
    for (const { name, class_name } of config.durable_objects.bindings) {
      env[name] = { type: 'durable-object', worker: config.name, exportName: class_name }
      exports[class_name] = { type: 'durable-object', storage: 'sqlite' }
    }
  if (checkpoints) env.CHECKPOINTS = { type: 'kv', id: 'checkpoints' }
  return {
    name: config.name,
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    manifest: {
      mainModule: Object.keys(modules)[0] ?? '',
      modules: Object.fromEntries(
        Object.entries(modules).map(([name, contents]) => [
          name,
          { type: name.endsWith('.js') ? 'esm' : 'data', contents },
        ]),
      ),
    },
    env,
    exports,
  }
}

interface WorkerParts {
  variables?: Record<string, string>
  limits?: boolean
  live?: boolean
  checkpoints?: boolean
}
