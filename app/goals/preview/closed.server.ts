import { type ActionFunctionArgs, data } from '@remix-run/cloudflare'

/** Refuses every form while FundMe is closed, without reading its body. */
export function refuseWhileClosed({ request, context }: ActionFunctionArgs) {
  context.log.warn('fundme.closed', { method: request.method })
  return data({ closed: true } as const, 403)
}
