import * as z from 'zod/mini'
import { timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'

const follows = z.array(z.object({ topic: z.string(), since: timestampColumn, language: z.string() }))

/** The topics that the member follows by email; null if they cannot be read. */
export function listFollows(access: Data): Promise<z.infer<typeof follows> | null> {
  return access.call('member_follows', follows, {}, { get: true })
}
