/**
 * The worker that miniflare runs in `npm run dev`. The worker contains the live hub and opens sockets as
 * app/entry/edge/live.server.ts does.
 */
import { liveHub } from '../app/platform/live/hub-access.server.ts'

export { LiveHub } from '../app/platform/live/live-hub.ts'

export default {
  async fetch(request: Request, env: Record<string, unknown>): Promise<Response> {
    const isOwn = request.headers.get('Origin') === env.SITE_URL
    return (isOwn && (await liveHub(env)?.open('dev'))) || new Response(null, { status: 403 })
  },
}
