import type { Page } from '@playwright/test'
import '../support/cheap-passwords.ts'
import { startSite, warmUp } from '../support/site.ts'
import { signUp, startTemporary, type TemporaryBackend } from '../support/temporary-backend.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { openAs } from './operator-page.ts'

const wallet = `0x${'7'.repeat(40)}`
const slug = 'goal-bkfrzmwp'

/** Adds a goal that its member submitted, got back, changed and submitted again. */
async function addGoal({ sql }: TemporaryBackend, member: string): Promise<void> {
  const texts = {
    ...{ title: 'Winter coats', byline: 'Hillside Hospital', category: 'Clothing', target_usd: '1200.00' },
    ...{ days: 14, plan: [{ amount: '1200', what: '34 coats' }], links: 'https://example.org/coats' },
    ...{ story: 'It is cold. '.repeat(5).trim(), picture_path: null, picture_text: '', wallet },
  }
  const [goal] = await sql<{ id: string }>(
    `insert into public.goals
       (member, stage, revision, slug, title, byline, category, target_usd, days, plan, story, links, wallet, submitted_at)
     select $1, 'submitted', 3, $2, t.title, 'Parents of Hillside', t.category, t.target_usd, t.days, t.plan, t.story,
       t.links, t.wallet, now()
     from jsonb_populate_record(null::public.goals, $3) as t returning id`,
    [member, slug, JSON.stringify(texts)],
  )
  const moves = [
    ['draft', 'submitted', 'member', texts],
    ['submitted', 'returned', 'operator', null],
    ['returned', 'submitted', 'member', { ...texts, byline: 'Parents of Hillside' }],
  ] as const
  for (const [at, [former, stage, by, words]] of moves.entries())
    await sql(
      `insert into private.goal_moves (goal, former, stage, frozen, hidden, moved_by, texts, moved_at)
       values ($1, $2, $3, false, false, $4, $5, now() - make_interval(hours => $6))`,
      [goal?.id, former, stage, by, words && JSON.stringify(words), 3 - at],
    )
  await sql(`update private.goal_moves set reason = 'Are you the hospital?' where stage = 'returned'`)
}

test('two operators approve a goal; a complaint freezes it', async ({ browser, javaScriptEnabled }) => {
  test.slow()
  const backend = await startTemporary()
  await warmUp(backend)
  const { sql, secretKey } = backend
  const site = await startSite(backend, {
    ...{ SUPABASE_SECRET_KEY: secretKey, FUNDME_OPEN: '1', PAGE_CACHE: 'off', CHAIN_START_BLOCK: '1' },
    ...{ CHAIN_RPC_URLS: 'https://rpc.example/none', CHAIN_TOKENS: `USDT:0x${'5'.repeat(40)}:18:usd` },
    TREASURY_WALLET: `0x${'6'.repeat(40)}`,
  })
  const member = await signUp(backend, 'ines@example.org')
  const stranger = await signUp(backend, 'stranger@example.org')
  await addGoal(backend, member.id)
  const options = { javaScriptEnabled, baseURL: site.url }
  const ada = await openAs(browser, backend, 'ada', options)
  const ben = await openAs(browser, backend, 'ben', options)
  const main = (page: Page) => page.getByRole('main')
  const press = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true }).click()
  const decide = (page: Page, name: string) => main(page).locator('summary', { hasText: name }).click()

  // Ada reads the changes. She cannot approve the goal before the wallet check.
  await ada.goto('/operator')
  await ada
    .getByRole('region', { name: 'Goals to review' })
    .getByRole('link', { name: 'Winter coats' })
    .click()
  await expect(ada.getByRole('heading', { level: 1, name: 'Winter coats' })).toBeVisible()
  const changed = ada.getByRole('region', { name: 'What changed since the last return' })
  await expect(changed).toContainText(/Who asks.*Hillside Hospital.*Parents of Hillside/)
  await expect(changed.getByRole('term')).toHaveCount(1)
  await expect(changed).toContainText('Reason for the last return: Are you the hospital?')
  await expect(main(ada)).toContainText('Not checked yet.')
  await expect(main(ada)).toContainText("The goal's wallet was not checked in the last day.")
  await expect(main(ada).locator('summary', { hasText: 'Approve a goal' })).toHaveCount(0)
  await expectAccessible(ada, javaScriptEnabled)

  // A return needs a reason, which is not public. Ada discards this return.
  await decide(ada, 'Return a goal')
  await press(ada, 'Save and check')
  await expect(ada.getByLabel('Reason').and(ada.locator(':focus'))).toHaveAccessibleDescription(
    /Reason is missing\..*Only the member and the operators can read this reason\./,
  )
  await ada.getByLabel('Reason').and(ada.locator(':focus')).fill('Please say who sews the coats.')
  await press(ada, 'Save and check')
  await expect(main(ada)).toContainText('What the member will read, word for word')
  await expect(main(ada)).toContainText('Please say who sews the coats.')
  await expectAccessible(ada, javaScriptEnabled)
  await main(ada).getByRole('link', { name: 'Edit' }).click()
  await expect(ada.getByLabel('Reason').locator('visible=true')).toHaveValue('Please say who sews the coats.')
  await ada.goBack()
  await press(ada, 'Delete this draft')

  // The job has checked the wallet. To approve, Ada must say that the proof matches the name.
  await sql(
    `insert into private.goal_checks (goal, wallet, block_number, block_hash, nonce)
     select id, wallet, 9, '0x' || repeat('9', 64), 0 from public.goals`,
  )
  await ada.goto(`/operator/goals/${slug}`)
  await expect(main(ada)).toContainText('it has sent nothing, and it holds no accepted token')
  await decide(ada, 'Approve a goal')
  await press(ada, 'Save and check')
  const speaks = ada.getByLabel('Does the proof show that they may speak for this name?')
  await expect(speaks).toHaveAccessibleDescription('Say that the proof shows it, or return the goal.')
  await expectAccessible(ada, javaScriptEnabled)
  await speaks.check()
  await press(ada, 'Save and check')
  await press(ada, 'Ask for a second operator')
  await expect(main(ada)).toContainText('A second operator must confirm this. You proposed it.')

  await ben.goto('/operator')
  await ben.getByRole('region', { name: 'Wait for a second person' }).getByRole('link').click()
  await expect(main(ben).getByRole('link', { name: /Winter coats/ })).toHaveAttribute(
    'href',
    `/operator/goals/${slug}`,
  )
  await expectAccessible(ben, javaScriptEnabled)
  await press(ben, 'Confirm')
  const confirms = ben.getByLabel('Does the proof show that they may speak for this name?')
  await expect(confirms).toHaveAccessibleDescription('Say that the proof shows it, or return the goal.')
  await confirms.check()
  await press(ben, 'Confirm')
  await expect(ben.getByRole('heading', { level: 1, name: 'Approved a goal' })).toBeVisible()

  // A stranger complains. Ben freezes the goal, and everyone can read why.
  const complained = await stranger.client.rpc('complain', {
    ...{ goal: slug, reason: 'scam', words: 'These coats do not exist.' },
  })
  expect(complained.error).toBeNull()
  await ben.goto('/operator')
  await ben.getByRole('region', { name: 'Complaints about goals' }).getByRole('link').click()
  await expect(ben.getByRole('heading', { level: 1, name: 'Complaints' })).toBeVisible()
  await expect(main(ben)).toContainText('These coats do not exist.')
  await expect(main(ben)).not.toContainText('stranger')
  await expectAccessible(ben, javaScriptEnabled)
  await main(ben).getByRole('link', { name: 'Freeze' }).click()
  await ben.getByLabel('Reason').locator('visible=true').fill('We ask the school first.')
  await main(ben).getByRole('button', { name: 'Save and check' }).locator('visible=true').click()
  await press(ben, 'Publish')
  await expect(ben.getByRole('heading', { level: 1, name: 'Froze a goal' })).toBeVisible()
  await ben.goto('/transparency/acts')
  await expect(ben.getByRole('region', { name: 'Acts' }).getByRole('listitem').first()).toContainText(
    /Froze a goal.*Winter coats.*ben.*We ask the school first\./,
  )
  expect(await sql('select stage, frozen from public.goals')).toEqual([{ stage: 'open', frozen: true }])

  // A visitor who is not signed in is redirected to the sign-in page.
  const other = await browser.newContext(options)
  const response = await (await other.newPage()).goto(`/operator/goals/${slug}`)
  expect(response?.url()).toContain('/auth?redirectTo=')
  await site.close()
  await backend.close()
})
