import { transaction } from '../support/temporary-backend.ts'
import { test as base, expect, expectAccessible, newMember, startMember } from './fixtures.ts'
import { nextMail } from './mailbox.ts'

const test = base.extend({
  baseURL: async ({ mailing }, use) => {
    await use(mailing.url)
  },
})

// Both tests use one site: they run its scheduled work and publish an update. So one process runs both tests.
test.describe.configure({ mode: 'default' })

const linkIn = (text: string, label: string) => new RegExp(`${label}\n(\\S+)`).exec(text)?.[1] ?? ''

test('a visitor follows, confirms, gets mail, leaves', async ({ page, mailing: site, javaScriptEnabled }) => {
  const { email } = newMember()
  await page.goto('/follow')
  const choices = page.getByRole('main').getByRole('listitem')
  await expect(choices).toHaveCount(6)
  await expect(choices.filter({ hasText: 'Follow CZ Call' })).toContainText(
    'We write when a statement led to a payment.',
  )
  await expect(page.getByText('Each email has a link to leave.')).toBeVisible()
  await expectAccessible(page, javaScriptEnabled)
  await page.goto('/donate')
  await page.getByRole('main').getByRole('link', { name: 'Tell me when it opens' }).click()
  await expect(page).toHaveURL(/\/follow\?topic=opens$/)
  await expect(page.getByRole('heading', { name: 'Tell me when it opens' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('We write once, on the day on which you can give.')
  await page.goto('/cz-call')
  await expect(page.getByRole('form', { name: 'Follow CZ Call by email' })).toBeVisible()
  await site.backend.sql(`select private.add_topic($1, 'cz-call', 'en')`, [email])

  await page.goto('/voting/education')
  const form = page.getByRole('form', { name: 'Follow Education by email' })
  await form.getByRole('button', { name: 'Follow Education' }).click()
  await expect(page.getByRole('alert')).toHaveText('Invalid email address')
  await expect(page.getByLabel('Email address')).toBeFocused()
  await expectAccessible(page, javaScriptEnabled)
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Follow Education' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
  await site.runSchedule()
  const request = await nextMail(site.backend.mailUrl, email)
  await page.goto(linkIn(request.text, 'Confirm'))
  await expectAccessible(page, javaScriptEnabled)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('status')).toHaveText('You follow Education. Each email has a link to leave.')

  await site.backend.sql('select public.append_update($1)', [
    JSON.stringify({
      pool_slug: 'education',
      published_at: new Date().toISOString(),
      text: 'Desks arrived.',
    }),
  ])
  await site.runSchedule()
  const { subject, text } = await nextMail(site.backend.mailUrl, email, 2)
  expect(subject).toBe('Education: Desks arrived.')
  await page.goto(linkIn(text, 'Stop emails about Education'))
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('status')).toHaveText('Done. You still follow CZ Call.')
  await page.goto(linkIn(text, 'Stop all emails'))
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('status')).toHaveText(
    'Done. You get no more emails, and we deleted your address.',
  )
})

test('a member follows a topic with one click, then the pools that they gave to, and then stops all emails', async ({
  page,
  context,
  mailing: site,
  javaScriptEnabled,
}) => {
  await startMember(context, site.url)
  await page.goto('/transparency')
  await expect(page.getByLabel('Email address')).toBeHidden()
  await page.getByRole('button', { name: 'Follow the monthly account' }).click()
  await expect(page.getByRole('status')).toContainText('You follow the monthly account.')
  await page.getByRole('link', { name: 'your dashboard' }).click()
  await page.getByRole('button', { name: 'Follow the pools that you gave to' }).click()
  const followed = page.getByRole('region', { name: 'You follow' })
  await expect(followed.getByText('When a pool that I gave to spends')).toBeVisible()
  await expectAccessible(page, javaScriptEnabled)
  await page.getByRole('button', { name: 'Stop all emails' }).click()
  await expect(followed.getByText('You follow nothing yet.')).toBeVisible()
})

test('a recipient opens a link in Arabic, answers, sees it on the page of the payment, and takes the words back', async ({
  page,
  mailing: site,
  javaScriptEnabled,
}) => {
  const { backend } = site
  const token = `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '')
  const paid = transaction({
    ...{
      type: 'spending',
      direction: 'out',
      account: 'education',
      pool_slug: 'education',
      amount_usd: 645.5,
    },
    ...{ note: 'Lamps', occurred_at: new Date().toISOString(), tx_hash: `0x${token}` },
  })
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([paid])])
  const [row] = await backend.sql<{ id: number }>(
    `with checked as (
       insert into public.transaction_checks (transaction_id, status, block_number, block_hash, confirmations)
       select max(id), 'verified', 9, '0x' || repeat('9', 64), 20 from public.transactions returning transaction_id as id
     ), operators as (
       insert into public.operators (handle, since, until) values ('mara', now(), now()) on conflict do nothing returning handle
     ) select id::int from checked, (select count(*) from operators) as made`,
  )
  await backend.sql(`select private.make_ask($1, 'print', $2, 'mara')`, [row?.id, token])
  await page.goto(`/ar/arrived?token=${token}`)
  await expect(page.getByRole('heading', { name: 'هل وصل؟' })).toBeVisible()
  await expectAccessible(page, javaScriptEnabled)
  await page.getByLabel('بكلماتك').fill('وصل نصفها.')
  await page.getByRole('button', { name: 'نعم، لكن…' }).click()
  await expect(page.getByRole('status')).toContainText('شكرًا لك')
  await expectAccessible(page, javaScriptEnabled)

  await page.goto(`/transparency/${row?.id}`)
  const part = page.getByRole('region', { name: 'Did it arrive?' })
  await expect(part).toContainText('Yes, but…')
  await expect(part).toContainText('answered on a link that we printed, by mara')
  await expect(part).toContainText('Their words wait for one of our operators.')
  await expectAccessible(page, javaScriptEnabled)

  await page.goto(`/arrived?token=${token}`)
  await page.getByRole('button', { name: 'Delete name and words' }).click()
  await expect(page.getByRole('status')).toHaveText('Done. Name and words are deleted. The answer stays.')
  await page.getByText('Answer a second time').click()
  await page.getByRole('button', { name: "No, it didn't arrive" }).click()
  await expect(page.getByRole('status')).toContainText('Thank you.')
  // A stored page is fresh for 30 seconds.
  await expect(async () => {
    await page.goto(`/transparency/${row?.id}`)
    await expect(part).toContainText("The recipient says it didn't arrive. We have not explained it yet.", {
      timeout: 2_000,
    })
  }).toPass({ timeout: 60_000 })
})
