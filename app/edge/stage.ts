import type { AppLoadContext } from '@remix-run/cloudflare'

/** One stage of the request pipeline (worker.ts): returns the response, or null for the next stage. */
export type Stage = (request: Request, context: AppLoadContext) => Response | null | Promise<Response | null>
