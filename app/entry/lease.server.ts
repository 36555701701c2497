import * as z from 'zod/mini'
import { schemaVersion } from '../platform/server/database.types.ts'
import type { Runtime } from '../platform/server/runtime.server.ts'
import { createService } from '../platform/server/service.server.ts'

const refusal = z.object({
  why: z.enum(['older', 'newer', 'site', 'holder']),
  site: z.string(),
  holder: z.string(),
  schema_version: z.string(),
})

/** Takes or renews the lease of the schedule for 90 seconds. Returns why it is not the turn of this site; null if it is. */
export async function claimSchedule({ config, env, fetch }: Runtime): Promise<string | null> {
  const { SUPABASE_URL: url, SUPABASE_SECRET_KEY: secret = '', SITE_URL: site } = config
  // All isolates of a deployment are one scheduler; `npm start` names itself.
  const holder = env.SCHEDULER ?? 'the deployment'
  const given = { site, holder, schema_version: schemaVersion }
  const other = await createService(url, secret, fetch).call('claim_schedule', z.nullable(refusal), given)
  if (!other) return null
  const reasons = {
    older: `the database has the migration ${other.schema_version}, and this release is older: deploy the newest`,
    newer: `the database has the migration ${other.schema_version} only: apply ${schemaVersion} first`,
    site: `the schedule belongs to ${other.site}: two operators can move it to ${site}`,
    holder: `${other.holder} runs it for ${other.site}`,
  }
  return reasons[other.why]
}
