import { type ActionFunctionArgs, data } from '@remix-run/cloudflare'

/** Refuses every form of FundMe, which is not open yet, without reading its body. */
export function refuseWhileClosed({ request, context }: ActionFunctionArgs) {
  context.log.warn('fundme.closed', { method: request.method })
  return data({ closed: true } as const, 403)
}
