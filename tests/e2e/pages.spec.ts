import type { Page } from '@playwright/test'
import { formatDollars, formatRoundDollars, toCents } from '../../app/platform/money.ts'
import { colourRules, expect, expectAccessible, test } from './fixtures.ts'
import { screensTo } from './layout.ts'

/** The texts that the specification (spec §2) requires on each page, with an empty database. */
const texts: Record<string, string[]> = {
  '/': [
    'From Binance Community, For Everyone',
    'Coming Soon',
    '5%',
    'Treasury',
    'Donated',
    'Dreams Funded',
    '$0',
    'CZ Call',
    'Impact Pools',
    'FundMe',
  ],
  '/cz-call': [
    'How It Works',
    'A person publishes each statement, and another one confirms it. Each call shows how long the payment took.',
    'Live Feed',
    'No CZ calls yet. Waiting for the signal...',
    'Why CZ?',
  ],
  '/voting': [
    'Impact Pools',
    'Permanent global donation pools funded regularly from treasury.',
    'How It Works',
    'Active Impact Pools',
    'Education',
    'Humanitarian Relief',
    'Animal Welfare',
    'Total Donated',
    'Unlimited capacity',
    'Helping',
    '0 students',
    '0 families',
    '0 animals',
    'Last donation',
    'View Details',
    'Recent Donations',
    'No donations yet',
  ],
  '/giveback': [
    'Coming Soon',
    'Preview below shows mockup data for demonstration purposes',
    'Token holders vote on causes that matter. From community, to community.',
    'Create Fund Pool',
    'View Details',
    'Vote',
    'Total Funded',
    'Dreams Realized',
    'Community Votes',
    '$8,500',
    '$15,000',
    '$22,000',
    'Small Business',
    'Submit Your Cause',
    'Community Votes',
    'Funds Released',
  ],
  '/transparency': [
    'Transparency Dashboard',
    'Every transaction. Every decision. Fully transparent.',
    'Treasury Balance',
    'Total Donated',
    'Token Holders',
    'Transaction History',
    'No transactions yet',
  ],
  '/about': [
    'Mission',
    'Community First',
    'Maximum Impact',
    'Collective Power',
    'Swift Action',
    'How We Work',
    'Transparent Operations',
    'Community Governance',
    'Verified Impact',
    'CZ-Inspired Action',
    'Join Our Community',
  ],
}

/** Pages without figures look the same in every state. */
const others = {
  empty: ['/tokens', '/risk', '/privacy', '/terms', '/contact', '/voting/education', '/giveback/school-bags'],
  full: ['/voting/education'],
  unavailable: [],
}

for (const state of ['empty', 'full', 'unavailable'] as const) {
  const alsoTexts = {
    empty: ', in both themes, and has every text of the specification',
    full: ', in both themes',
    unavailable: '',
  }[state]
  test(`every page is accessible, ${state}${alsoTexts}`, { tag: '@repeated-without-script' }, async ({
    page,
    sites,
    javaScriptEnabled,
  }) => {
    const site = { empty: sites.empty, full: sites.demo, unavailable: sites.alone }[state]
    for (const path of [...Object.keys(texts), ...others[state]]) {
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      const response = await page.goto(site + path)
      expect(response?.status(), path).toBe(200)
      const main = page.getByRole('main')
      if (state === 'empty')
        for (const text of texts[path] ?? [])
          await expect(main.getByText(text).first(), `${path}: ${text}`).toBeVisible()
      if (state === 'unavailable' && path !== '/giveback') await expect(main, path).not.toContainText('$0')
      await expectAccessible(page, javaScriptEnabled)
      // The notice of an unavailable figure has the same colours as other notices.
      if (state === 'unavailable') continue
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      await expectAccessible(page, javaScriptEnabled, colourRules)
    }
  })
}

test('the pages of the demonstration have content, and show the totals that SQL computes', {
  tag: '@repeated-without-script',
}, async ({ page, sites }) => {
  const wholeDollars = (amount: number) => `$${amount.toLocaleString('en-US', { maximumFractionDigits: 0 })}`
  const { treasury, donated, dreams } = sites.demoTotals
  await page.goto(sites.demo)
  await expect(page.getByText('Demo: all figures')).toBeVisible()
  for (const amount of [treasury, donated, dreams])
    await expect(
      page.locator('#ledger-figures').getByText(wholeDollars(amount), { exact: true }),
    ).toBeVisible()
  await page.goto(`${sites.demo}/transparency`)
  for (const amount of [treasury, donated])
    await expect(page.locator('#figures').getByText(wholeDollars(amount), { exact: true })).toBeVisible()
  await expect(page.locator('#history [data-key]')).toHaveCount(10)
  await page.goto(`${sites.demo}/voting`)
  for (const amount of Object.values(sites.demoTotals.pools))
    await expect(page.locator('#pool-cards').getByText(wholeDollars(amount))).toBeVisible()
  await page.goto(`${sites.demo}/cz-call`)
  await expect(page.getByText('Source confirmed').first()).toBeVisible()
  await expect(page.getByText('Source not confirmed').first()).toBeVisible()
})

test('every row shows its status in words, and the totals state how many rows they exclude', {
  tag: '@repeated-without-script',
}, async ({ page, sites }) => {
  for (const [status, words] of [
    ['verified', 'Verified on chain'],
    ['pending', 'Waiting'],
    ['unreachable', "Couldn't reach the blockchain"],
    ['mismatch', "Doesn't match the blockchain"],
    ['reorganised', 'No longer on the blockchain'],
  ] as const) {
    await page.goto(`${sites.demo}/transparency?status=${status}`)
    const rows = page.locator('#history [data-key]')
    expect(await rows.count(), status).toBeGreaterThan(0)
    await expect(rows.filter({ hasText: words }), status).toHaveCount(await rows.count())
  }
  await page.goto(`${sites.demo}/transparency`)
  await page.getByText('How we count and check').click()
  const { checked, all } = await countPayments(page, sites.demo)
  await expect(
    page.getByText(
      new RegExp(
        `These totals count ${checked} payments .* We left out ${all - checked}: \\d are being verified, 2 don't match, and 1 has no dollar value yet\\.`,
      ),
    ),
  ).toBeVisible()
  await expect(page.getByText(/Last checked BNB Smart Chain:/)).toBeVisible()
  await page.goto(`${sites.demo}/cz-call`)
  const paid = page.locator('.feed > li').filter({ has: page.getByRole('heading', { name: /^\$[\d,.]+$/ }) })
  await expect(paid).not.toHaveCount(0)
  for (const call of await paid.all()) {
    await expect(call.getByText(/^Paid \d+ days .*later$/)).toBeVisible()
    await expect(call.getByText('Verified on chain').first()).toBeVisible()
  }
  for (const call of await page.getByRole('listitem').filter({ hasText: 'No payment' }).all())
    await expect(call.getByText('Verified on chain')).toHaveCount(0)
  await page
    .getByText(/^Proof of /)
    .first()
    .click()
  await expect(page.getByText('Text fingerprint').first()).toBeVisible()
})

test('before the first payment, there is nothing to check, and the page about the files says that the files are empty', {
  tag: '@repeated-without-script',
}, async ({ page, sites }) => {
  await page.goto(`${sites.empty}/transparency/verify`)
  await expect(page.getByText('No checkpoint has been signed yet')).toBeVisible()
  await expect(page.getByText('After the first checkpoint, you can check every row here')).toBeVisible()
  await expect(page.locator('[data-check-ledger], main pre, main input, main button')).toHaveCount(0)
  await page.goto(`${sites.empty}/transparency/api`)
  await expect(page.getByText('The files are empty until the first payment.')).toBeVisible()
  await expect(page.getByRole('link', { name: '/transparency.csv' })).toBeVisible()
  await page.goto(`${sites.demo}/transparency/api`)
  await expect(page.getByText('The files are empty')).toHaveCount(0)
})

test('the headings of all tables begin where their cells begin', { tag: '@repeated-without-script' }, async ({
  page,
  sites,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const path of ['/', '/transparency', '/transparency/months', '/transparency/wallets', '/voting']) {
    await page.goto(sites.demo + path)
    const aligned = await page
      .locator('table')
      .evaluateAll((tables) =>
        tables.flatMap((table) =>
          [...(table as HTMLTableElement).rows]
            .slice(0, 2)
            .map((row) => [...row.cells].map((cell) => getComputedStyle(cell).textAlign).join(' ')),
        ),
      )
    for (const [at, heading] of aligned.entries())
      if (at % 2 === 0) expect(heading, path).toBe(aligned[at + 1])
  }
})

test('each bar of the months leads to its payments; a table has all figures, and ends with the amount that the wallets hold', {
  tag: '@repeated-without-script',
}, async ({ page, sites, javaScriptEnabled }) => {
  await page.setViewportSize({ width: 320, height: 800 })
  await page.goto(`${sites.demo}/transparency/months`)
  const bars = page.getByRole('region', { name: 'Where did the money go each month?' })
  const months = bars.getByRole('link')
  const table = page.getByRole('table', { name: /US dollars by month/ })
  await expect(table).toBeHidden()
  await page.getByText('Show as a table').click()
  await expect(table.getByRole('row')).toHaveCount((await months.count()) + 1)
  await expect(table.getByRole('row').nth(1)).toContainText(await heldIn(page, sites.demo))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  for (const { height } of await months.evaluateAll((all) => all.map((one) => one.getBoundingClientRect())))
    expect(height).toBeGreaterThanOrEqual(24)
  await expectAccessible(page, javaScriptEnabled)
  await page.emulateMedia({ forcedColors: 'active' })
  const colours = bars
    .getByRole('listitem')
    .locator('.swatch')
    .evaluateAll((all) => all.map((swatch) => getComputedStyle(swatch).backgroundColor))
  expect(new Set(await colours).size).toBe((await colours).length)
  await page.goto('/transparency/months')
  await expect(page.getByText('there is nothing to show')).toBeVisible()
})

test('the first line says whether anything is wrong, and leads to the unchecked payments and to the wallet that differs from the chain', {
  tag: '@repeated-without-script',
}, async ({ page, sites, javaScriptEnabled }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${sites.demo}/transparency`)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await screensTo(page.locator('#history [data-key]').first())).toBeLessThanOrEqual(2)
  await page.setViewportSize({ width: 360, height: 740 })
  const { checked: number, all, goals } = await countPayments(page, sites.demo)
  const checked = page.getByText(`${number} of ${all} payments verified and counted.`, { exact: true })
  const unchecked = page.getByRole('link', { name: 'Show these payments' })
  const wallets = page.getByRole('link', {
    name: '4 of 5 wallets match; 0.75 BNB is missing from this ledger.',
  })
  for (const seen of [checked, unchecked, wallets]) await expect(seen).toBeInViewport()
  await unchecked.click()
  const others = page.locator('#history [data-key]')
  const rest = await countPayments(page, sites.demo, 'not-checked')
  expect(rest.all).toBe(all - number)
  await expect(others).toHaveCount(rest.all + rest.goals)
  await expect(others.filter({ hasText: 'Verified on chain' })).toHaveCount(1)
  await expect(page.locator('[data-history-sum]')).toContainText(
    `None of these ${rest.all} payments is counted`,
  )
  await expect(page.locator('[data-history-goals]')).toContainText(
    `The list also has ${rest.goals} gift to a member's goal. It is not our money, so no sum counts it.`,
  )
  await expect(page.locator('#history')).not.toContainText('$0.00')
  await page.goBack()
  // Every page counts the same payments: those of our wallets. The gifts to goals are counted beside them.
  await expect(page.locator('[data-history-sum]')).toContainText(`${number} of ${all} payments counted`)
  await expect(page.locator('[data-history-goals]')).toContainText(
    `The list also has ${goals} gifts to members' goals. They are not our money, so no sum counts them.`,
  )
  const home = await (await page.request.get(sites.demo)).text()
  expect(home.replaceAll(/<[^>]*>/g, '')).toContain(
    `${number} of ${all} payments verified and counted; 2 don&#x27;t match`,
  )
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await expectAccessible(page, javaScriptEnabled)
  await wallets.click()
  await expect(page).toHaveURL(/\/transparency\/wallets#reconciliation$/)
  await expect(page.getByText('Missing from this ledger: 0.75 BNB received')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await expectAccessible(page, javaScriptEnabled)
})

interface ListedRow {
  type: string
  status: string
  amount_usd: string | null
  counter_account: string | null
  direction: string
}

/** The rows of a filter: our wallets' payments, those that are checked, and gifts to goals. */
async function countPayments(page: Page, site: string, status = '') {
  const response = await page.request.get(`${site}/transparency.json?status=${status}`)
  const { transactions }: { transactions: ListedRow[] } = await response.json()
  const ours = transactions.filter(({ type }) => type !== 'goal-gift')
  const checked = ours.filter((row) => row.status === 'verified' && row.amount_usd !== null)
  return { all: ours.length, checked: checked.length, goals: transactions.length - ours.length }
}

/** Returns the amount that all wallets hold, such as '$1,234.50', recounted from the verified rows. */
async function heldIn(page: Page, site: string): Promise<string> {
  const response = await page.request.get(`${site}/transparency.json?status=verified`)
  const { transactions }: { transactions: ListedRow[] } = await response.json()
  const cents = transactions.reduce(
    (all, row) =>
      row.counter_account === null && row.type !== 'goal-gift'
        ? all + (row.direction === 'in' ? 1 : -1) * centsOf(row.amount_usd ?? '0.00')
        : all,
    0,
  )
  return formatDollars(cents)
}

/** Converts '$1,234.50' or '−$1,234.50' to cents. */
function centsOf(text: string): number {
  return Number(text.replace(/[$,]/g, '').replace('−', '-').replace('.', ''))
}

test('the first screen shows the totals and whole payments, and Home has its programmes soon', {
  tag: '@repeated-without-script',
}, async ({ page, sites }) => {
  for (const { whole, ...viewport } of [
    { width: 1280, height: 800, whole: 3 },
    { width: 390, height: 844, whole: 2 },
  ]) {
    await page.setViewportSize(viewport)
    await page.goto(sites.demo)
    const main = page.getByRole('main')
    const payments = await page.locator('#receipt li a').all()
    expect(payments).toHaveLength(3)
    for (const seen of [
      main.getByRole('link', { name: 'Donate', exact: true }),
      main.getByRole('link', { name: 'Read the ledger' }),
      main.getByRole('link', { name: 'Run by its community, not by Binance.' }),
      page.locator('#ledger-figures'),
      ...payments.slice(0, whole),
    ])
      expect(await screensTo(seen)).toBeLessThanOrEqual(1)
  }
  await page.getByRole('link', { name: 'Run by its community, not by Binance.' }).click()
  await expect(page).toHaveURL(/\/about#who$/)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(sites.demo)
  expect(await screensTo(page.locator('#programmes'))).toBeLessThanOrEqual(3)
})

test('before the first payment, Home shows an example chart, /transparency has its stat cards, and no page offers tools for an empty list', {
  tag: '@repeated-without-script',
}, async ({ page }) => {
  await page.goto('/')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'What could happen to the first $1,000' })).toBeVisible()
  // The example of a receipt, and the example of a division, are marked as such.
  await expect(main.getByText('Example', { exact: true })).toHaveCount(2)
  await expect(main.getByText('These payments are made up.')).toBeVisible()
  await expect(main.getByText('Each block is $20.')).toBeVisible()
  await expect(
    main.getByText("The token hasn't launched yet, and no payment has been made."),
  ).toBeInViewport()
  await expect(main.getByText('$0', { exact: true })).toHaveCount(3)
  await expect(page.locator('#receipt, #every-fifty, [data-share]')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Donate', exact: true })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Tell me when it opens' })).toHaveCount(2)
  await page.setViewportSize({ width: 360, height: 740 })
  // On a phone, the bar shows the site's name in this place.
  await expect(page.getByRole('link', { name: 'Tell me when it opens' })).toHaveCount(1)
  await expect(page.locator('.bar-brand > span')).toBeInViewport({ ratio: 1 })
  for (const path of ['/voting', '/voting/education', '/cz-call']) {
    await page.goto(path)
    await expect(page.getByRole('link', { name: 'CSV' }).or(page.locator('[data-share]')), path).toHaveCount(
      0,
    )
    await expect(page.locator('.button-gold'), path).toHaveCount(0)
  }
  await page.goto('/transparency')
  await expect(main.getByText('Nothing to check yet: no payment has been made.')).toBeVisible()
  await expect(main.getByText('$0', { exact: true })).toHaveCount(2)
  await expect(main.locator('[data-share], form, details, a[href*=".csv"]')).toHaveCount(0)
  await page.goto('/cz-call')
  for (const width of [360, 480, 640, 1023, 1024, 1080, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    expect([width, (await page.getByRole('navigation', { name: 'Main' }).boundingBox())?.height]).toEqual([
      width,
      64,
    ])
  }
})

test('parts add up to their totals, to the cent', { tag: '@repeated-without-script' }, async ({
  page,
  sites,
}) => {
  const donated = Math.round(sites.demoTotals.donated * 100)
  const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0)
  const sharesIn = (region: string) =>
    page
      .locator(`${region} [data-share]`)
      .evaluateAll((all) => all.map((cell) => Number((cell as HTMLElement).dataset.share)))
  await page.goto(`${sites.demo}/transparency`)
  await expect(page.locator('#flow table')).toBeHidden()
  await page.getByText('Show the amounts as a table').click()
  const rows = await page.locator('#flow table tr').allTextContents()
  const total = rows.findIndex((row) => row.startsWith('Money out'))
  const amounts = (parts: string[]) => sum(parts.map((row) => centsOf(row.slice(row.lastIndexOf('$')))))
  expect(amounts(rows.slice(1, total))).toBe(amounts(rows.slice(total, total + 1)))
  expect(amounts(rows.slice(total + 1))).toBe(amounts(rows.slice(total, total + 1)))
  await page.goto(sites.demo)
  await expect(page.locator('#ledger-figures')).toContainText(formatRoundDollars(donated))
  expect(sum((await page.locator('#every-fifty dd').allTextContents()).map(centsOf))).toBe(5000)
  expect(sum(await sharesIn('#every-fifty'))).toBe(5000)
  await page.goto(`${sites.demo}/voting/education`)
  const lines: Record<string, number> = {}
  for (const line of await page.locator('#sums dl > div').all())
    lines[(await line.locator('dt').textContent()) ?? ''] = centsOf(
      ((await line.locator('dd').textContent()) ?? '').split(' ')[0] ?? '',
    )
  const {
    'Donations from the treasury': donations,
    'Gifts to its wallet': gifts,
    'Given to this pool': given,
    Spent,
    Left,
  } = lines
  expect((donations ?? 0) + (gifts ?? 0)).toBe(given)
  expect((given ?? 0) + (lines['Moved and other'] ?? 0) + (Spent ?? 0)).toBe(Left)
})

test('the dollars of arrivals, of mistakes and of frames for other sites equal those of the ledger', async ({
  page,
  sites,
}) => {
  const get = (path: string) => page.request.get(sites.demo + path)
  const { transactions } = await (await get('/transparency.json?status=verified')).json()
  const { transactions: all } = await (await get('/transparency.json')).json()
  const { orders } = await (await get('/transparency/orders.json')).json()
  const amountsIn = (text: string | null) =>
    (text?.match(/\$[\d,]+(\.\d\d)?/g) ?? []).map((amount) => toCents(amount.replace(/[$,]/g, '')))
  const sum = (amounts: number[]) => amounts.reduce((total, cents) => total + cents, 0)

  // Each payment that left our wallets for a cause or a goal is in one line of what recipients say.
  const given = (transactions as Record<string, string>[]).filter(
    ({ type = '', direction, counter_account }) =>
      direction === 'out' && counter_account === null && ['spending', 'donation', 'dream'].includes(type),
  )
  await page.goto(`${sites.demo}/transparency`)
  const lines = amountsIn((await page.locator('#arrival dd').allTextContents()).join(' '))
  expect(lines.length).toBeGreaterThan(4)
  expect(sum(lines)).toBe(sum(given.map(({ amount_usd }) => toCents(amount_usd ?? '0'))))

  await page.goto(`${sites.demo}/transparency/mistakes`)
  const mistakes = page.getByRole('main').locator('li', { hasText: '$' })
  let compared = 0
  for (const mistake of await mistakes.all()) {
    const hrefs = await mistake
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    const ids = hrefs.flatMap((href) => href?.match(/^\/transparency\/(\d+)(?:#|$)/)?.[1] ?? [])
    // A link to an order opens the list that begins below the next number, so that the order is the first one.
    const numbers = hrefs.flatMap((href) => href?.match(/\/orders\?before=(\d+)/)?.[1] ?? [])
    const worth = [
      ...all
        .filter(({ id }: { id: number }) => ids.includes(`${id}`))
        .map((row: { amount_usd: string }) => toCents(row.amount_usd)),
      ...orders
        .filter(({ number }: { number: number }) => numbers.includes(`${number + 1}`))
        .map((order: { token_amount: string }) => Number(BigInt(order.token_amount) / 10n ** 16n)),
    ]
    for (const amount of amountsIn(await mistake.textContent())) {
      expect(worth, `${hrefs}`).toContain(amount)
      compared++
    }
  }
  expect(compared).toBeGreaterThan(3)

  // A frame has whole dollars.
  await page.goto(`${sites.demo}/giveback`)
  const paths = await page
    .locator('#goals a[href^="/giveback/goal-"]')
    .evaluateAll((links) => links.map((link) => `${link.getAttribute('href')}`))
  for (const path of new Set(paths)) {
    await page.goto(sites.demo + path)
    const [received = 0] = amountsIn(
      await page
        .locator('main p', { hasText: / of \$/ })
        .first()
        .textContent(),
    )
    const frame = await (await get(path.replace('/giveback/', '/embed/goal/'))).text()
    expect(frame, path).toContain(`${formatRoundDollars(received)} of $`)
  }
})

test('the figures in the heading of a filtered history equal a recount of its rows', {
  tag: '@repeated-without-script',
}, async ({ page, sites }) => {
  const gifts = await (await page.request.get(`${sites.demo}/transparency.json?type=gift&limit=1`)).json()
  const giver = gifts.transactions[0].from_address
  for (const search of [
    'type=donation&pool=education',
    'status=mismatch',
    'pool=education',
    'wallet=animal-welfare',
    `q=${giver}`,
  ]) {
    const { transactions } = await (
      await page.request.get(`${sites.demo}/transparency.json?${search}`)
    ).json()
    await page.goto(`${sites.demo}/transparency?${search}`)
    const verified = transactions.filter(({ status }: { status: string }) => status === 'verified')
    const heading = (await page.locator('[data-history-sum]').textContent()) ?? ''
    const checked = verified.filter((row: { amount_usd: string | null }) => row.amount_usd !== null)
    expect(heading, search).toMatch(
      checked.length > 0
        ? new RegExp(`^${checked.length} of ${transactions.length} payments? counted`)
        : /^(None of these|This payment is not counted)/,
    )
    if (search !== 'type=donation&pool=education') continue
    const received = verified.reduce(
      (all: number, { amount_usd }: { amount_usd: string | null }) => all + centsOf(amount_usd ?? '0.00'),
      0,
    )
    expect(heading).toContain(
      `$${(received / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })} given to this pool`,
    )
  }
})

test('on a narrow screen each question is answered in at most three page loads', {
  tag: '@repeated-without-script',
}, async ({ page, sites }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await test.step('what the education pool bought in a month', async () => {
    await page.goto(`${sites.demo}/voting/education`)
    await page
      .getByRole('region', { name: 'Payments and updates' })
      .getByRole('link', { name: 'See them all (Payments out)' })
      .click()
    await page.getByText('Choose a month').click()
    await page.getByRole('link', { name: 'Aug 2025', exact: true }).click()
    await expect(page).toHaveURL(/type=spending.*from=2025-08-01/)
    const rows = page.locator('#history [data-key]')
    await expect(rows).toHaveCount(2)
    await expect(page.getByRole('heading', { name: 'August 2025' })).toBeVisible()
    for (const row of await rows.all()) await expect(row).toContainText(/^\d+ Aug,/)

    await page.goto(`${sites.demo}/transparency`)
    await page.getByText('Choose a month').click()
    await page.getByRole('link', { name: 'Sept 2025', exact: true }).click()
    await page.getByRole('listitem').getByRole('link', { name: 'Education', exact: true }).click()
    await expect(page.locator('[data-sum="paid"]')).toHaveText('$1,112.10')
    await expect(rows.filter({ hasText: '−$1,112.10' })).toHaveCount(1)
  })
  await test.step('where the money of a month went', async () => {
    await page.goto(`${sites.demo}/transparency`)
    await page.getByText('Choose a month').click()
    await page.getByRole('link', { name: 'Jul 2025', exact: true }).click()
    await expect(page.getByRole('paragraph').filter({ hasText: /^July 2025$/ })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Where it went' })).toBeVisible()
    const uses = page
      .locator('#history')
      .getByRole('listitem')
      .filter({ has: page.locator('.swatch') })
    const parts = (await uses.allTextContents()).map((text) => centsOf(text.slice(text.indexOf('$'))))
    const out = await page.locator('[data-sum="paid"]').textContent()
    expect(parts.reduce((all, part) => all + part, 0)).toBe(centsOf(out ?? ''))

    await page.goto(`${sites.demo}/transparency`)
    await page.getByRole('link', { name: 'Months' }).click()
    const months = page.getByRole('region', { name: 'Where did the money go each month?' })
    const rounded = Math.round(centsOf(out ?? '') / 100).toLocaleString('en-US')
    await months.getByRole('link', { name: `Jul 2025 $${rounded}` }).click()
    await expect(page.getByRole('heading', { name: 'Where it went' })).toBeVisible()
  })
  await test.step('which rows do not match the chain', async () => {
    await page.goto(`${sites.demo}/transparency`)
    await page.getByText('Search and filter').click()
    await page.getByLabel('Status', { exact: true }).selectOption({ label: "Doesn't match the blockchain" })
    await page.getByRole('button', { name: 'Show' }).click()
    const rows = page.locator('#history [data-key]')
    await expect(rows.first()).toContainText("Doesn't match the blockchain")
    await expect(page.locator('[data-history-sum]')).toHaveText(
      'This payment is not counted, so there is no sum.',
    )
  })
  await test.step('every payment to a wallet address', async () => {
    await page.goto(`${sites.demo}/transparency?type=dream`)
    const address = page.locator('#history .rows-party a[title^="0x"][href*="q=0x"]').first()
    const [whole] = (await address.getAttribute('title'))?.split(',') ?? []
    const name = (await address.textContent())?.trim()
    await address.click()
    await expect(page).toHaveURL(new RegExp(`q=${whole}`))
    await expect(page.locator('[data-history-sum]')).toContainText(`into ${name}, `)
    await expect(page.getByLabel('Search')).toHaveValue(whole ?? '')
  })
})

test('the page of a row shows its facts, checks and proof', { tag: '@repeated-without-script' }, async ({
  page,
  sites,
  javaScriptEnabled,
}) => {
  await page.setViewportSize({ width: 320, height: 800 })
  await page.goto(`${sites.demo}/transparency?type=donation&pool=education`)
  // This amount identifies the demonstration's corrected row, which has it since its correction.
  await page
    .locator('#history tbody')
    .getByRole('row')
    .filter({ hasText: '$2,050' })
    .getByRole('link', { name: /details of this transaction$/ })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('$2,050.00 to Education Programme')
  await page.locator('#checkers > summary').click()
  for (const part of ['The payment in full', 'Blockchain checks', 'Corrections', 'Has anyone changed this?'])
    await expect(page.getByRole('region', { name: part })).toBeVisible()
  await expect(page.getByText('$1 for 1 DEMOUSD')).toBeVisible()
  await expect(page.getByText('This row is in a log that can only grow.')).toBeVisible()
  await expect(page.getByText('Log position')).toBeHidden()
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute(
    'content',
    '$2,050.00 to Education Programme',
  )
  await expect(page.locator('meta[property="og:image"]')).toHaveAttribute('content', /pool-education\.png$/)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectAccessible(page, javaScriptEnabled)
  }
  const newest = page.url()

  // A purchase leads with what it bought, or with the lack of it, then the amount, and never with zero.
  const rows = await (await page.request.get(`${sites.demo}/transparency.json?type=spending`)).json()
  for (const isNamed of [true, false]) {
    const row = rows.transactions.find(
      ({ note, status }: { note: string | null; status: string }) =>
        Boolean(note) === isNamed && status === 'verified',
    )
    await page.goto(`${sites.demo}/transparency/${row.id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      row.note ?? "We don't say yet what this bought",
    )
    const amount = Number(row.amount_usd).toLocaleString('en-US', { minimumFractionDigits: 2 })
    await expect(page.locator('h1 ~ div .font-display').first()).toHaveText(`$${amount}`)
    const story = page.locator('.facts').first()
    await expect(story).toContainText(row.counter_name)
    await expect(story).toContainText(row.proof_url ?? 'No receipt yet')
    await expect(page.locator('#checkers > summary')).toContainText('Checked against the blockchain')
    await expect(page.getByText('as named by us')).toHaveCount(1)
    await expectAccessible(page, javaScriptEnabled)
  }
  await page.goto(newest)
  await page.locator('#checkers > summary').click()

  // The original row still exists and is marked as corrected.
  await page.getByRole('region', { name: 'Corrections' }).getByRole('link').click()
  await expect(page.getByText('This row was corrected.')).toBeVisible()
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', newest)
  const next = page.locator('a[rel=next]')
  const row = Number(/row (\d+)/.exec((await next.textContent()) ?? '')?.[1])
  await next.click()
  await expect(page.getByText(`Ledger row ${row}`)).toBeVisible()
})

test('the page of decisions has each vote, with its orders', async ({ page, sites, javaScriptEnabled }) => {
  await page.goto(`${sites.demo}/decisions`)
  const votes = page.locator('#decisions > ol > li')
  await expect(votes).toHaveCount(3)
  const split = votes.filter({ hasText: 'The split of the fees' })
  await expect(split).toContainText('It rules 40% of the trading tax')
  const shares = (await split.textContent())?.match(/\d+\.\d%/g) ?? []
  expect(shares).toHaveLength(6)
  // The failed order of the goal that won is here as in the list of orders.
  const { orders } = await (await page.request.get(`${sites.demo}/transparency/orders.json`)).json()
  const failed = orders.find(({ state }: { state: string }) => state === 'failed')
  const line = votes.locator('ol li')
  await expect(line).toHaveCount(1)
  await expect(line).toContainText(`$${BigInt(failed.token_amount) / 10n ** 18n}.00`)
  await expect(line.getByRole('link')).toHaveAttribute('href', `/transparency/orders#order-${failed.number}`)
  await expectAccessible(page, javaScriptEnabled)
  // The numbers of a goal are those of its page: what is against it does not help it to the quorum.
  const goals = await Promise.all(
    (await votes.filter({ hasText: 'for it' }).all()).map(async (vote) => ({
      href: `${await vote.getByRole('link').first().getAttribute('href')}`,
      said: (await vote.textContent())?.match(/\d+(?=% of the votes that it needed)|\d+(?=% for it)/g),
    })),
  )
  expect(goals).toHaveLength(2)
  await split.getByRole('link').click()
  for (const share of shares) await expect(page.getByRole('main')).toContainText(share)
  for (const { href, said } of goals) {
    await page.goto(sites.demo + href)
    const words = (await page.getByRole('main').textContent()) ?? ''
    const [, inFavour, support = ''] = words.match(/For it: (\d+)%, ([\d,]+) tokens/) ?? []
    const [, quorum = ''] = words.match(/with the support of ([\d,]+) tokens/) ?? []
    const [given, needed] = [support, quorum].map((tokens) => BigInt(tokens.replaceAll(',', '')))
    expect(said, href).toEqual([`${(100n * (given ?? 0n)) / (needed ?? 1n)}`, inFavour])
  }
})

test('a row that cannot be read is shown as unavailable', { tag: '@repeated-without-script' }, async ({
  page,
  sites,
}) => {
  const response = await page.goto(`${sites.alone}/transparency/1`)
  expect(response?.status()).toBe(503)
  await expect(page).toHaveTitle(/^Transaction/)
  await expect(page.getByText("We can't load this transaction right now.")).toBeVisible()
})

test('the URL selects the filter and the page number of the history', {
  tag: '@repeated-without-script',
}, async ({ page, sites }) => {
  await page.goto(`${sites.demo}/transparency`)
  await page.getByText('Search and filter').click()
  await page.getByLabel('Type').selectOption({ label: 'Donation' })
  await page.getByLabel('Pool', { exact: true }).selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page).toHaveURL(/type=donation/)
  const rows = page.locator('#history [data-key]')
  await expect(rows.first()).toContainText('Donation')
  for (const row of await rows.all()) await expect(row).toContainText('Donation')

  await page.goto(`${sites.demo}/transparency?rows=all`)
  const seen = new Set<string>()
  for (;;) {
    for (const hash of await page
      .locator('#history')
      .getByRole('row')
      .locator('.rows-details [title^="0x"]')
      .evaluateAll((all) => all.map((element) => element.getAttribute('href') ?? '')))
      seen.add(hash)
    const older = page.getByRole('link', { name: /Older/ })
    if ((await older.count()) === 0) break
    const before = page.url()
    await older.click()
    await page.waitForURL(({ href }) => href !== before)
  }
  expect(seen.size).toBe(sites.demoTotals.transactions)
})

test('a month shows the sums of all its rows, and each page of a month states whether the rows continue on another page', {
  tag: '@repeated-without-script',
}, async ({ page, sites }) => {
  await page.goto(`${sites.demo}/transparency?rows=all`)
  const sums = (name: string) => page.getByRole('region', { name }).getByRole('list').first().textContent()
  const [name = ''] = (await page.locator('#history h3').allTextContents()).slice(-1)
  const ofMonth = await sums(name)
  await expect(page.getByText(`${name} continues on the next page.`)).toBeVisible()
  await page.getByRole('link', { name: /Older/ }).click()
  await expect(page.locator('#history h3').first()).toHaveText(`${name}, continued`)
  expect(await sums(`${name}, continued`)).toBe(ofMonth)
  await page.getByRole('link', { name, exact: true }).click()
  await expect(page).toHaveURL(/from=\d{4}-\d\d-01&to=/)
  expect(await sums(name)).toBe(ofMonth)
  await expect(page.locator('#history h3').last()).toHaveText(name)
})

test('an invalid filter is ignored; an invalid page of a list is reported, and the newest rows are shown', {
  tag: '@repeated-without-script',
}, async ({ page, sites }) => {
  const response = await page.goto(
    `${sites.demo}/transparency?type=nonsense&from=yesterday&before=%00garbage`,
  )
  expect(response?.status()).toBe(200)
  // As many rows as without a filter.
  await expect(page.locator('#history [data-key]')).toHaveCount(10)
  for (const [path, sentence] of [
    ['/cz-call?before=cut-off', "That page doesn't exist. Here are the newest ones."],
    ['/voting?after=cut-off', "That page doesn't exist. Here are the newest ones."],
  ] as const) {
    expect((await page.goto(path))?.status()).toBe(200)
    await expect(page.getByText(sentence)).toBeVisible()
    await page.goto(path.split('?')[0] as string)
    await expect(page.getByText(sentence)).toBeHidden()
  }
})

test("'View Details' opens a pool at its own URL: over the page with JavaScript, and as a separate page without JavaScript", async ({
  page,
  javaScriptEnabled,
}) => {
  await page.goto('/voting')
  await page
    .getByRole('link', { name: /View Details/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/voting\/education$/)
  const place = javaScriptEnabled ? page.getByRole('dialog', { name: /Education/ }) : page.getByRole('main')
  await expect(place.getByRole('heading', { level: 1, name: 'Education Programme' })).toBeVisible()
  for (const text of [/^Category: Education$/, 'Total Donated', '0 students'])
    await expect(place.getByText(text).first()).toBeVisible()
  if (javaScriptEnabled) {
    await place.getByRole('link', { name: 'All payments and updates of Education' }).click()
    await expect(page.getByRole('region', { name: 'Payments and updates' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goto('/voting')
    await page.getByRole('link', { name: 'Education Programme', exact: true }).click()
    await expect(page.getByRole('region', { name: 'Payments and updates' })).toBeVisible()
    await page.goto('/voting')
    await page
      .getByRole('link', { name: /View Details/ })
      .first()
      .click()
  }
  await (javaScriptEnabled
    ? place.getByRole('button', { name: 'Close' })
    : place.getByRole('link', { name: 'Impact Pools' })
  ).click()
  await expect(page).toHaveURL(/\/voting(#education)?$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Impact Pools' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a pool and a campaign each have a page with its own heading; an unknown pool, campaign or row shows the 404 page', {
  tag: '@repeated-without-script',
}, async ({ page }) => {
  for (const path of ['/voting/education', '/giveback/school-bags']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('[inert], dialog')).toHaveCount(0)
  }
  for (const [path, text] of [
    ['/voting/nothing', "We don't have an impact pool with this name."],
    ['/giveback/nothing', "We don't have a campaign with this name."],
    ['/transparency/1', "We can't find this transaction."],
    ['/transparency/0x1', "We can't find this transaction."],
  ] as const) {
    const response = await page.goto(path)
    expect(response?.status(), path).toBe(404)
    await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
    await expect(page.getByText(text)).toBeVisible()
  }
})

test('no form of the FundMe preview can be submitted', async ({ page }) => {
  await page.goto('/giveback')
  for (const name of ['Create Fund Pool', 'View Details', 'Vote'])
    for (const button of await page.getByRole('button', { name, exact: true }).all()) {
      await expect(button).toBeDisabled()
      await expect(button).toHaveAccessibleDescription(/.+/)
    }
  const refused = await page.request.post('/giveback', { form: { title: 'x', vote: 'x' } })
  expect(refused.status()).toBe(403)
  const html = await refused.text()
  expect(html).toMatch(/FundMe isn(?:'|&#x27;)t open yet/)
  expect(html).not.toMatch(/Vote submitted!|Fund pool submitted/)
})

test('crawlers and platforms find robots.txt, the sitemap and the manifest', {
  tag: '@repeated-without-script',
}, async ({ page, sites }) => {
  const sitemap = await (await page.request.get('/sitemap.xml')).text()
  for (const path of ['/cz-call', '/voting/education', '/transparency'])
    expect(sitemap).toContain(`<loc>${sites.empty}${path}</loc>`)
  expect(sitemap).not.toContain('/giveback/')
  expect(await (await page.request.get('/robots.txt')).text()).toContain(
    `Sitemap: ${sites.empty}/sitemap.xml`,
  )
  await page.goto('/voting/education')
  await expect(page.locator('meta[property="og:image"]')).toHaveAttribute(
    'content',
    `${sites.empty}/share/pool-education.png`,
  )
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${sites.empty}/voting/education`)
  for (const path of ['/', '/transparency']) {
    await page.goto(path)
    for (const data of await page.locator('script[type="application/ld+json"]').allTextContents())
      JSON.parse(data)
  }
})

test('the history begins with gifts and spending; a URL has all rows', async ({ page, sites }) => {
  const rows = page.locator('#history [data-key]')
  const types = () => rows.locator('.rows-type').allTextContents()
  const technical = /^(Trading tax|Between our wallets|Exchange|Gift to a goal)$/
  await page.goto(`${sites.demo}/transparency`)
  await expect(rows).toHaveCount(10)
  expect((await types()).filter((type) => technical.test(type))).toEqual([])
  await page.getByRole('link', { name: 'Show tax and moves between wallets too' }).click()
  await expect(page).toHaveURL(/\/transparency\?rows=all#history$/)
  expect((await types()).some((type) => technical.test(type))).toBe(true)
  await page.getByRole('link', { name: 'Older' }).click()
  await expect(page).toHaveURL(/rows=all/)
  expect((await types()).some((type) => technical.test(type))).toBe(true)
  await page.getByRole('link', { name: 'Show only what was given and spent' }).click()
  await page.getByRole('link', { name: 'Older' }).click()
  await expect(page).toHaveURL(/before=/)
  expect((await types()).filter((type) => technical.test(type))).toEqual([])
})

test('About begins with who publishes and who holds the keys, in their words', async ({ page, sites }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${sites.demo}/about`)
  const who = page.locator('#who')
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Who answers for the money')
  expect(await screensTo(who.locator('p').first())).toBeLessThanOrEqual(1)
  await expect(who).toContainText('2 operators publish here. 1 has not said who they are')
  await expect(who).toContainText("For 3 of them we can't say who can move the money.")
  await expect(who).toContainText('key holders of 3 of our 5 wallets showed that they have a key')
  const mara = who.locator('[data-key="mara"]')
  await expect(mara).toContainText('Mara Velin (made up)')
  await expect(mara).toContainText('Holds a key of our wallets.')
  await expect(mara.getByRole('link', { name: 'example.org' })).toHaveAttribute(
    'href',
    'https://example.org/mara',
  )
  await expect(mara.getByRole('link', { name: /^Entry \d+: proof$/ })).toBeVisible()
})
