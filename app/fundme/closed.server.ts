import { type ActionFunctionArgs, data } from '@remix-run/cloudflare'

/** Whatever is sent to FundMe while it is closed is refused, unread: there is nothing that could take it. */
export function refuseWhileClosed({ request, context }: ActionFunctionArgs) {
  context.log.warn('fundme.closed', { method: request.method })
  return data({ closed: true } as const, 403)
}
