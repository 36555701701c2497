import type { Stage } from '../../platform/edge/stage'
import { accountPath, home, newPasswordPath } from '../../platform/server/redirect'

/** The pages to which the auth service redirects: the site's URL, and the redirect URLs of our calls. */
const callbackPaths: readonly string[] = ['/', home, accountPath, newPasswordPath]

/** Handles a request for one of these pages with `code` or `error`, which the auth service adds to a URL. */
export const takeCallback: Stage = async (request, context) => {
  const { searchParams, pathname } = context.url
  const isCallback = searchParams.has('code') || searchParams.has('error')
  if (!isCallback || request.method !== 'GET' || !context.isDocument) return null
  if (!callbackPaths.includes(pathname)) return null
  // Imported on demand, because this module also loads the sign-in forms, which public pages do not need.
  const { answerCallback } = await import('../../members/auth/callback.server')
  return answerCallback(context)
}
