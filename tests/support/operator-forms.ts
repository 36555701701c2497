import { expect } from 'vitest'
import { documentOf, type Page, type Visitor } from './visitor.ts'

/** The hidden fields of the form on a page. */
export const hiddenOf = (page: Page) =>
  Object.fromEntries(
    documentOf(page)
      .querySelectorAll('main form[method=post] input[type=hidden]')
      .map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']),
  )

/** The words of a page. */
export const wordsOf = (page: Page) =>
  documentOf(page).querySelector('main')?.structuredText.replace(/\s+/g, ' ') ?? ''

/** Fills the form of an act at a path, and sends it. Returns the path of the act. */
export async function prepare(who: Visitor, path: string, fields: Record<string, string>): Promise<string> {
  const page = await who.post(path, { ...hiddenOf(await who.get(path)), ...fields })
  expect([page.status, wordsOf(page)]).toEqual([303, ''])
  expect(page.location).toMatch(/^\/operator\/acts\/[0-9a-f-]{36}$/)
  return page.location ?? ''
}

/** Presses a button of an act's page. `ticks`: what the second operator ticks. */
export async function press(
  who: Visitor,
  act: string,
  intent: string,
  ticks: Record<string, 'yes'> = {},
): Promise<void> {
  const page = await who.post(act, { intent, ...ticks })
  expect([page.status, page.location, wordsOf(page)]).toEqual([303, act, ''])
}
