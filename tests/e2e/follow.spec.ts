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

test('a visitor follows a pool, confirms, gets an update, leaves one topic, then all topics', async ({
  page,
  mailing: site,
  javaScriptEnabled,
}) => {
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
