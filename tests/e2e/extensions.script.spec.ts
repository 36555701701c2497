/** What React would render is not what the page contains: a browser extension, or a newer build, has changed it. */
import { expect, signIn, startMember, test } from './fixtures.ts'

/** Where extensions add an element before the page's scripts start: the selector, the place beside it, the element. */
const additions = {
  'an element at the start of head': ['head', 'afterbegin', 'meta'],
  'an empty script at the start of head': ['head', 'afterbegin', 'script'],
  'an element at the start of body': ['body', 'afterbegin', 'div'],
  'an element at the end of html': ['html body', 'afterend', 'div'],
  'an element beside each field': ['main input', 'afterend', 'div'],
} as const

for (const [what, [selector, place, name]] of Object.entries(additions))
  test(`the forms of a page work although an extension adds ${what}`, async ({ page, context, sites }) => {
    const member = await startMember(context, sites.empty)
    await context.clearCookies()
    // React reports an element between its own in the console, which only the fixture's page expects to be silent.
    const changed = selector === 'main input' ? await context.newPage() : page
    await changed.addInitScript(
      ([selector, place, name]) => {
        const change = () => {
          for (const element of document.querySelectorAll(`${selector}:not([data-seen])`)) {
            element.setAttribute('data-seen', '')
            element.insertAdjacentElement(place, document.createElement(name))?.setAttribute('data-added', '')
          }
        }
        new MutationObserver(change).observe(document, { childList: true, subtree: true })
      },
      [selector, place, name] as const,
    )
    await changed.goto('/auth')
    await changed.waitForLoadState('networkidle')
    await signIn(changed, member)
    await expect(changed.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await changed.goto('/dashboard/account')
    await changed.getByLabel('New email').fill(member.email)
    await changed.getByRole('button', { name: 'Change email' }).click()
    await expect(changed.getByText("That's already your email").first()).toBeVisible()
    await expect(changed.locator('[data-added]').first()).toBeAttached()
  })

test('a page of an older build stays as it is, with what was typed, and its form works', async ({
  context,
  sites,
}) => {
  const member = await startMember(context, sites.empty)
  await context.clearCookies()
  const page = await context.newPage()
  await page.route('**/auth', async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    await route.fulfill({ response, body: html.replace('Forgot your password?', 'Lost your password?') })
  })
  let release = () => {}
  const typed = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/entry.client-*', async (route) => {
    await typed
    await route.continue()
  })
  await page.goto('/auth', { waitUntil: 'commit' })
  const email = page.getByRole('textbox', { name: 'Email' })
  await email.fill(member.email)
  release()
  await page.waitForLoadState('networkidle')
  await expect(email).toHaveValue(member.email)
  await expect(page.getByText('Lost your password?')).toBeVisible()
  await page.unroute('**/auth')
  await signIn(page, member)
  await expect(page).toHaveURL(/\/dashboard$/)
})
