import type { AppLoadContext } from '@remix-run/cloudflare'

/** One step of the request pipeline (worker.ts): the response, or null to continue with the next step. */
export type Stage = (request: Request, context: AppLoadContext) => Response | null | Promise<Response | null>
