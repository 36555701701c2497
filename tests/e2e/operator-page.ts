import type { Browser, Page } from '@playwright/test'
import { addOperator } from '../support/operators.ts'
import { siteHost } from '../support/site.ts'
import type { TemporaryBackend } from '../support/temporary-backend.ts'
import { sessionCookie, sessionCookies } from '../support/visitor.ts'

/** Opens a page on which the operator with this handle is signed in with two-step sign-in. */
export async function openAs(
  browser: Browser,
  backend: TemporaryBackend,
  handle: string,
  options: object,
): Promise<Page> {
  const { client } = await addOperator(backend, handle)
  const { data } = await client.auth.getSession()
  const context = await browser.newContext(options)
  await context.addCookies(
    sessionCookies(sessionCookie, data.session ?? {}).map((cookie) => ({
      ...cookie,
      ...{ domain: siteHost, path: '/', httpOnly: true, sameSite: 'Lax' as const },
    })),
  )
  return context.newPage()
}
