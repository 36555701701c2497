import { PostgrestClient } from '@supabase/postgrest-js'
import type { Database } from '../database.types.ts'

/** The data API with the service's rights: scheduled work and the operator's command have it, no request does. */
export type Service = PostgrestClient<Database>

export function createService(url: string, secretKey: string, fetch: typeof globalThis.fetch): Service {
  return new PostgrestClient<Database>(`${url}/rest/v1`, {
    headers: { apikey: secretKey, Authorization: `Bearer ${secretKey}` },
    fetch,
  })
}

/** The backend refused something, or is away; `code` is Postgres's where there is one. */
export class ServiceFailure extends Error {
  readonly code: string

  constructor(what: string, { code, message }: { code: string; message: string }) {
    super(`${what}: ${code || 'no answer'} ${message}`.slice(0, 300))
    this.code = code
  }
}

/** What the backend answered; throws ServiceFailure where it did not. */
export async function answerOf<T>(
  what: string,
  query: PromiseLike<{ data: T; error: { code: string; message: string } | null }>,
): Promise<NonNullable<T>> {
  const { data, error } = await query
  if (error || data === null || data === undefined)
    throw new ServiceFailure(what, error ?? { code: '', message: 'empty' })
  return data
}
