import type { AppLoadContext } from '@remix-run/cloudflare'

/**
 * One stage of the request pipeline (worker.ts). It returns the response, or null to pass the request to the
 * next stage.
 */
export type Stage = (request: Request, context: AppLoadContext) => Response | null | Promise<Response | null>
