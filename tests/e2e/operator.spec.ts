import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import '../support/cheap-passwords.ts'
import { temporaryFolder } from '../support/data-folder.ts'
import { startFeedServer } from '../support/feed-server.ts'
import { startPictures, startSite, warmUp } from '../support/site.ts'
import { startTemporary, transaction } from '../support/temporary-backend.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { openAs } from './operator-page.ts'

const link = 'https://news.example.org/1'
const feed = `<rss version="2.0"><channel><title>News</title>
<item><title>Donate your old laptop to win</title><link>https://news.example.org/2</link></item>
<item><title>Schools need donations.</title><link>${link}</link><author>cz@example.org (CZ)</author>
<pubDate>Thu, 20 Nov 2025 18:30:00 GMT</pubDate></item></channel></rss>`

test('two operators decide on posts, publish and withdraw texts, name wallets and confirm statements, and everyone can verify each act', async ({
  browser,
  page: reader,
  javaScriptEnabled,
}) => {
  const backend = await startTemporary()
  await warmUp(backend)
  await startPictures(backend)
  const { secretKey, logKey } = backend
  const source = await startFeedServer()
  source.answers.set('/feed', (_, response) => response.end(feed))
  const site = await startSite(backend, {
    ...{ SUPABASE_SECRET_KEY: secretKey, LOG_KEY: logKey, PAGE_CACHE: 'off' },
    STATEMENT_SOURCES: `${source.url}/feed`,
  })
  await site.runSchedule()
  await backend.sql('select public.append_ledger($1)', [
    JSON.stringify([
      transaction({ type: 'spending', account: 'education', pool_slug: 'education', direction: 'out' }),
    ]),
  ])
  const options = { javaScriptEnabled, baseURL: site.url }
  const ada = await openAs(browser, backend, 'ada', options)
  const ben = await openAs(browser, backend, 'ben', options)
  const press = (page: Page, name: string) =>
    page.getByRole('main').getByRole('button', { name, exact: true }).click()

  // Two posts wait. Ada dismisses one of them with a one-word reason.
  await ada.goto('/dashboard')
  await ada.getByRole('main').getByRole('link', { name: 'Operator' }).click()
  await expect(ada.getByRole('heading', { level: 1, name: 'Operator' })).toBeVisible()
  await expect(ada.getByRole('main')).toContainText('You act as ada.')
  await expect(ada.getByRole('main')).toContainText('2 of 2 posts are about charity.')
  await expectAccessible(ada, javaScriptEnabled)
  const candidates = ada.getByRole('region', { name: 'Posts about charity' })
  await candidates.getByRole('link', { name: /^News,/ }).click()
  await expect(ada.getByRole('main').getByRole('blockquote')).toHaveText('Donate your old laptop to win')
  await press(ada, 'Not about charity')
  const reason = ada.getByLabel('Why it is not about charity')
  await expect(reason).toHaveAccessibleDescription(/Say why, in a word\./)
  await expectAccessible(ada, javaScriptEnabled)
  await reason.fill('advertisement')
  await press(ada, 'Not about charity')
  await expect(candidates.getByRole('link')).toHaveCount(1)

  // A statement from the other post has its form filled in; a fault is at its field, values stay.
  await candidates.getByRole('link', { name: /^CZ,/ }).click()
  await expectAccessible(ada, javaScriptEnabled)
  await ada.getByRole('main').getByRole('link', { name: 'Prepare the statement' }).click()
  await expect(ada.getByLabel('Link')).toHaveValue(link)
  await expect(ada.getByLabel('Text')).toHaveValue('Schools need donations.')
  await expect(ada.getByLabel('Author')).toHaveValue('CZ')
  await ada.getByLabel('Posted').fill('')
  await ada.getByLabel('Action taken').fill('We bought forty desks.')
  await press(ada, 'Save and check')
  await expect(ada.getByLabel('Posted')).toHaveAccessibleDescription(/Posted is missing/)
  await expect(ada.getByLabel('Author')).toHaveValue('CZ')
  await expectAccessible(ada, javaScriptEnabled)
  await ada.getByLabel('Posted').fill('2025-11-20T18:30')
  await press(ada, 'Save and check again')
  await expect(ada.getByRole('main')).toContainText('What will be public, word for word')
  await expectAccessible(ada, javaScriptEnabled)
  await press(ada, 'Publish')
  await expect(ada.getByRole('heading', { level: 1, name: 'Published a statement' })).toBeVisible()

  // Ben confirms the statement.
  await ben.goto('/operator')
  await ben.getByRole('region', { name: 'Statements to confirm' }).getByRole('link').click()
  await ben.getByLabel('How').fill('I opened the link on my own phone.')
  await press(ben, 'Save and check')
  await press(ben, 'Publish')
  await expect(ben.getByRole('heading', { level: 1, name: 'Confirmed a statement' })).toBeVisible()

  // Ada writes an update with a picture, and names the purpose of a payment.
  await ada.goto('/operator/new/update')
  await ada.getByLabel('Pool').selectOption('education')
  await ada.getByLabel('Text').fill('Forty desks are in use.')
  const buffer = readFileSync('public/icon-512.png')
  await ada.getByLabel('File').setInputFiles({ name: 'desks.png', mimeType: 'image/png', buffer })
  await press(ada, 'Save and check')
  await expect(ada.getByLabel('What the picture shows')).toHaveAccessibleDescription(/Say what the picture/)
  await ada.getByLabel('What the picture shows').fill('Forty desks')
  await ada.getByLabel('Can someone be recognised on it?').selectOption('No one')
  await ada.getByRole('textbox', { name: 'Where' }).fill('Riverside')
  await ada.getByLabel('When it was taken').fill('November 2025')
  await press(ada, 'Save and check again')
  await press(ada, 'Publish')
  await expect(ada.getByRole('heading', { level: 1, name: 'Published an update' })).toBeVisible()
  await ada.goto('/operator')
  await ada.getByRole('region', { name: 'Spending without a purpose' }).getByRole('link').click()
  await ada.getByLabel('Purpose').fill('Desks for a school')
  await press(ada, 'Save and check')
  await press(ada, 'Publish')
  await expect(ada.getByRole('heading', { level: 1, name: 'Named the purpose' })).toBeVisible()

  // Ada proposes to withdraw the note, and Ben confirms the withdrawal.
  await ada.goto('/operator/new/withdrawal')
  await ada.getByLabel('Words of the text').fill('Desks for')
  await press(ada, 'Search')
  await ada.getByRole('main').getByRole('listitem').getByRole('link').click()
  await ada.getByLabel('Reason').fill('It names a school.')
  await press(ada, 'Save and check')
  await press(ada, 'Ask for a second operator')
  await expect(ada.getByRole('main')).toContainText('A second operator must confirm this. You proposed it.')
  await ben.goto('/operator')
  await ben.getByRole('region', { name: 'Wait for a second person' }).getByRole('link').click()
  await expect(ben.getByRole('main')).toContainText('Desks for a school')
  await expectAccessible(ben, javaScriptEnabled)
  await press(ben, 'Confirm')
  await expect(ben.getByRole('main')).toContainText('Done by ada, confirmed by ben')
  await ben.goto('/operator/acts')
  await expect(ben.getByRole('main').getByRole('listitem')).toHaveCount(7)
  await expectAccessible(ben, javaScriptEnabled)

  // Each act is visible on its page and in the record, and the log is complete.
  await reader.goto(`${site.url}/cz-call`)
  await expect(reader.getByRole('main')).toContainText('I opened the link on my own phone.')
  await reader.goto(`${site.url}/voting/education`)
  await expect(reader.getByRole('img', { name: 'Forty desks' })).toBeVisible()
  await reader.goto(`${site.url}/transparency/2`)
  await expect(reader.getByRole('main')).toContainText('It names a school.')
  await reader.goto(`${site.url}/transparency/acts`)
  const acts = reader.getByRole('region', { name: 'Acts' }).getByRole('listitem')
  await expect(acts).toHaveCount(7)
  for (const [at, words] of [
    [0, /Withdrew a text.*ada, confirmed by ben.*It names a school\./],
    [1, /Named the purpose of a payment.*ada/],
    [2, /Published an update.*ada/],
    [3, /Confirmed a statement.*ben/],
    [4, /Published a statement.*ada/],
    [5, /Added an operator.*by the holder of the secret key/],
  ] as const)
    await expect(acts.nth(at)).toContainText(words)
  await expectAccessible(reader, javaScriptEnabled)
  await site.runSchedule()
  const folder = temporaryFolder()
  const kept = join(folder.path, 'kept.json')
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['public/verify-ledger.mjs', site.url, '--whole', '--remember', kept],
  ])
  expect(stdout).toContain('Every entry of the export is in it: 13.')
  folder.remove()
  // A live page would report that its server is gone.
  await reader.goto('about:blank')
  await site.close()
  await source.close()
  await backend.close()
})
