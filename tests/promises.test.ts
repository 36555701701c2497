import { existsSync, readFileSync } from 'node:fs'
import { formatter } from '@lingui/format-po'
import { expect, test } from 'vitest'

/** Words of a sentence about the future, or about what happens without a person. */
const promising =
  /\b(will|won't|automatic\w*|by itself|by themselves|going to|soon|(every|each) (minute|hour|day|night|week|month)|\w+'ll)\b/i

/**
 * The beginning of each such message, below the test or, for a message that depends on the site or promises nothing,
 * the component that decides whether it is shown.
 */
const grounds: Record<string, string[]> = {
  'tests/worker/kinds-of-site.test.ts': [
    '{brand} will take {taxPercent}%',
    'Every trade will pay in',
    'No payment has been made. Each one will link',
    'The community will decide',
    'Token holders will vote on causes and on how the treasury splits its fees.',
    'Token holders will vote on causes and on the split of the fees.',
    'Token holders will vote on causes and on the split of the fees. Voting opens with FundMe.',
    'It is <0>Coming Soon</0>. There is no contract address yet.',
    'This programme is <0>Coming Soon</0>.',
    'Coming Soon',
    'Coming soon: set a fund goal',
    'This site reads no source by itself yet',
    'On this site nothing is sent automatically',
    // The words of the specification, each followed by what is so on the site.
    'When a cause is highlighted, funds are sent automatically',
    'From time to time the treasury sends them part of its fees',
  ],
  // Shown as an example before the first payment: each row of the history has its link.
  'app/pages/routes/home/example-receipt.tsx': ['What you will see here', 'These payments are made up.'],
  'tests/chain/payer.test.ts': [
    'Will be paid on <0/>, unless an operator stops it.',
    '{amount} will be paid on {time}',
    '{amount} to {name} will be paid on {time}',
  ],
  'tests/backend/standing-orders.test.ts': [
    '{share} of the trading tax, each month',
    'On day {day} of each month, it divides',
    'Only the order is automatic',
    'Automatic rule',
    'The site orders payments by itself from then on',
    'Two people approve a rule and its limits. It then orders payments by itself',
  ],
  'tests/chain/ledger-job.test.ts': [
    '<0>This page is behind.</0> We normally check the blockchain every minute.',
    'It runs each minute, so it has stopped',
  ],
  'tests/chain/faults.test.ts': ['<0>Transactions:</0> {unread, plural'],
  'tests/chain/goals.test.ts': ['Not checked yet. The schedule checks it each hour'],
  'tests/worker/my-goals.test.ts': [
    'Fund pool submitted for review! Token holders will vote on it. Voting is not open yet',
    'Fund pool submitted for review! Token holders will vote on it. Two operators read it first.',
    'Its page will no longer show your wallet',
    'As its page will show it',
    'The check shows the page as everyone will see it',
    // A member promises it.
    'I will report within 90 days',
  ],
  'tests/worker/withdrawn.test.ts': ['The site makes this list by itself from its records.'],
  'tests/e2e/my-goals.script.spec.ts': ["Not saved: no connection. We'll try again."],
  'tests/worker/goal-pages.test.ts': ['As everyone will see it'],
  'tests/worker/operator.test.ts': [
    'What will be public, word for word',
    'What the member will read, word for word',
  ],
  'tests/e2e/email.spec.ts': [
    "The link and code work once, for one hour. Didn't ask for this?",
    "No password needed. We'll email you a link and a code",
    "We'll email you a link and a code. Use either to set a new password.",
    "You're signed in as {member}. If this link is for another account",
  ],
  'tests/e2e/account.spec.ts': ["We'll email you a link to confirm. Nothing changes until you do."],
  'tests/e2e/factor.spec.ts': [
    'Its codes will stop working.',
    "Two-step sign-in is on. We'll ask for a code",
  ],
  'tests/e2e/donate.spec.ts': [
    "This page doesn't update by itself.",
    'This page updates by itself until the result is final.',
  ],
  'tests/e2e/verify.script.spec.ts': [
    'This asks {hosts} for the transaction. They will see your IP address.',
  ],
  // A page of FundMe, or a disabled button, before FundMe opens.
  'app/goals/routes/giveback/fundme-preview.tsx': [
    'What the money will buy, in a few words',
    'What voting will look like',
    "What you'll need",
    "Who needs it, who does the work, and what you'll do",
  ],
  'app/account/routes/dashboard/pool-list.tsx': ['View Details will work once FundMe opens.'],
  'app/account/routes/dashboard/route.tsx': ['Create Pool will work once FundMe opens.'],
  // Who publishes the site must keep it.
  'app/pages/routes/voting.pool/payments.tsx': ["We haven't published the partners of this pool yet."],
  // Warnings, and titles of tables.
  'app/words/routes/risk.tsx': ['A token can lose all of its value, and impostors will use our name.'],
  'app/words/routes/terms.tsx': [
    "What you give to a goal goes straight to the member's wallet.",
    'What you send to a wallet of the project is a gift.',
  ],
  'tests/e2e/pages.spec.ts': [
    'US dollars by month, newest first. Each month links',
    'Where did the money go each month?',
  ],
}

const catalog = formatter().parse(readFileSync('app/platform/locales/es/messages.po', 'utf8'), {
  locale: 'es',
  sourceLocale: 'en',
  filename: 'messages.po',
})

test('each sentence about the future, or about what happens without a person, names what makes it true', async () => {
  const messages = Object.entries(await catalog).map(([id, { message = id }]) => message.replace(/\s+/g, ' '))
  expect(messages.length).toBeGreaterThan(2_000)
  const found = messages.filter((message) => promising.test(message)).sort()
  const listed = Object.values(grounds).flat()
  // The longest beginning belongs to the message.
  const entryOf = (message: string) =>
    listed.filter((start) => message.startsWith(start)).sort((one, other) => other.length - one.length)[0]
  expect(
    found.filter((message) => !entryOf(message)),
    'not listed',
  ).toEqual([])
  expect(
    listed.filter((start) => !found.some((message) => entryOf(message) === start)),
    'no longer in a catalog',
  ).toEqual([])
  expect(
    Object.keys(grounds).filter((file) => !existsSync(file)),
    'no such file',
  ).toEqual([])
})
