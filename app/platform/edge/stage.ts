import type { AppLoadContext } from '@remix-run/cloudflare'

/** A stage of the request pipeline (worker.ts): the response, or null for the next stage. */
export type Stage = (request: Request, context: AppLoadContext) => Response | null | Promise<Response | null>
