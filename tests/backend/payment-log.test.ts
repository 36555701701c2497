import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { writeSignedAnswer } from '../../app/arrival/signed-answer.ts'
import { writeKeyProof } from '../../app/custody/key-proof.ts'
import { LogTree } from '../support/log-tree.ts'

const { checkExport } = await import(
  fileURLToPath(new URL('../../public/verify-ledger.mjs', import.meta.url))
)

/** Checks a whole log, as the program does with an export. `lines` are entries without their line feeds. */
function check(lines: readonly string[]): Promise<{ size: number; unordered: number }> {
  const tree = new LogTree(lines.map((line) => Buffer.from(line)))
  const latest = { size: tree.size, root: Buffer.from(tree.root()), title: 'the test' }
  return checkExport(
    lines.map((line) => Buffer.from(`${line}\n`)),
    latest,
  )
}

const folder = new URL('logs/', import.meta.url)
const recorded = [
  ...readFileSync(new URL('SHA256SUMS', folder), 'utf8').matchAll(/^(\w{64}) {2}(\S+)$/gm),
].map(([, sum = '', name = '']) => ({ sum, name }))
const linesOf = (name: string) => readFileSync(new URL(name, folder), 'utf8').trimEnd().split('\n')

test('a log that a former release recorded still passes', async () => {
  expect(recorded.map(({ name }) => name)).toEqual([
    '5e60d2bb-demo.ndjson',
    '5e60d2bb-goal-vote.ndjson',
    '5e60d2bb-split-vote.ndjson',
  ])
  for (const { sum, name } of recorded) {
    const lines = linesOf(name)
    const file = readFileSync(new URL(name, folder))
    expect([name, createHash('sha256').update(file).digest('hex')]).toEqual([name, sum])
    expect([name, (await check(lines)).size]).toEqual([name, lines.length])
    expect(lines.filter((line) => line.includes('"rules":'))).toEqual([])
  }
})

test('refuses an entry by older rules than one before it, and does not check one by rules that it does not know', async () => {
  const [first = '', act = '', draw = ''] = linesOf('5e60d2bb-split-vote.ndjson')
  const by = (rules: unknown, line: string) => {
    const { kind, id, recorded_at, ...more } = JSON.parse(line)
    return JSON.stringify({ kind, id, recorded_at, rules, ...more })
  }
  await expect(check([first, act, draw])).resolves.toMatchObject({ size: 3 })
  const [, , drawn = ''] = JSON.parse(readFileSync('public/ledger/vote-vectors.json', 'utf8')).second_log
  await expect(check([first, act, drawn])).resolves.toMatchObject({ size: 3 })
  await expect(check([by(2, first), act, draw])).rejects.toThrow(
    'Entry 2 is by the rules of version 1, and an entry before it by those of version 2.',
  )
  for (const rules of [0, 1, -2, 2.5, '2', null])
    await expect(check([first, act, by(rules, draw)])).rejects.toThrow(
      'Entry 2 does not say by which rules it is made.',
    )
  await expect(check([first, act, by(4, draw)])).rejects.toThrow(
    'Entry 2 is by the rules of version 4, and this program knows those up to 3. Download it again.',
  )
})

type Entry = Record<string, unknown> & { kind: string }
const hour = 3_600_000
const start = Date.parse('2027-03-01T00:00:00Z')
const address = (digit: string) => `0x${digit.repeat(40)}`
const hash = (digit: string) => `0x${digit.repeat(64)}`
const [treasury, education, partner, token] = ['7', 'e', '9', 'd'].map(address) as [
  string,
  string,
  string,
  string,
]
const goal = 'goal-kfxqzmwp'

/** A log of entries by the rules of a version. Times are hours after `start`, amounts in whole tokens. */
class PaymentLog {
  entries: Entry[] = []
  rules = 2
  #ids: Record<string, number> = {}

  add(kind: string, at: number, facts: object, withRules = true): number {
    const id = (this.#ids[kind] ?? 0) + 1
    this.#ids[kind] = id
    const recorded_at = new Date(start + at * hour).toISOString().replace('Z', '000Z')
    this.entries.push({ kind, id, recorded_at, ...(withRules && { rules: this.rules }), ...facts })
    return id
  }
  act(
    at: number,
    act: string,
    subject: string | number,
    made: [string, number] | null,
    changes: object = {},
  ) {
    const entry = made && { kind: made[0], id: made[1] }
    const people = {
      by: 'ada',
      second: ['stop', 'take', 'suspend', 'payments-hold'].includes(act) ? null : 'bob',
    }
    this.add(
      'act',
      at,
      { act, subject: `${subject}`, ...people, made: entry, reason_hash: null, ...changes },
      false,
    )
  }
  terms(at: number, changes: object = {}) {
    this.add('payment-terms', at, {
      ...{ chain_id: 56, payer: address('5'), notice_hours: 24, limit_tokens: 1000 },
      wallets: [
        { account: 'education', address: education },
        { account: 'treasury', address: treasury },
      ],
      ...{ tokens: [{ symbol: 'USDX', address: token, decimals: 2 }], ...changes },
    })
  }
  name(at: number, changes: object = {}) {
    const id = this.add('name', at, { revision: 0, address: partner, name_hash: 'a'.repeat(64) }, false)
    this.act(at, 'name', partner, ['name', id], changes)
  }
  /** An entry of an order: its number, its state and what differs. */
  order(at: number, number: number, state: string, changes: object = {}): number {
    const former = this.entries.findLast((entry) => entry.kind === 'order' && entry.number === number)
    const {
      kind: _,
      id: __,
      recorded_at: ___,
      revision = -1,
      ...facts
    }: Record<string, unknown> = former ?? {
      ...{
        rules: this.rules,
        account: 'treasury',
        recipient: 'named',
        recipient_account: null,
        chain_id: 56,
      },
      ...{ from_address: treasury, to_address: partner, token_address: token, token_symbol: 'USDX' },
      ...{ token_decimals: 2, token_amount: '50000', type: 'cost', pool: null, purpose_hash: 'b'.repeat(64) },
      ...{ statement: null, due_at: new Date(start + (at + 24) * hour).toISOString() },
    }
    const rest = { ...facts, rules: this.rules, state, tx_hash: null, ordinal: null, ...changes, number }
    return this.add('order', at, { revision: Number(revision) + 1, ...rest }, false)
  }
  approved(at: number, number: number, changes: object = {}, people: object = {}) {
    this.act(at, 'order', number, ['order', this.order(at, number, 'announced', changes)], people)
  }
  row(at: number, changes: object = {}) {
    this.add(
      'transaction',
      at,
      {
        ...{
          revision: 0,
          chain_id: 56,
          tx_hash: hash('1'),
          ordinal: 0,
          direction: 'out',
          account: 'treasury',
        },
        ...{ occurred_at: new Date(start + at * hour).toISOString(), type: 'other', amount_usd: '500.00' },
        ...{
          from_address: treasury,
          to_address: partner,
          token_address: token,
          token_amount: '50000',
          ...changes,
        },
      },
      false,
    )
  }
  /** The transfer that `row` adds is no longer on the blockchain, or is there again. */
  reorganisation(at: number, gone: unknown, changes: object = {}) {
    this.add('reorganisation', at, { chain_id: 56, tx_hash: hash('1'), ordinal: 0, gone, ...changes })
  }
  standing(at: number, number: number, rule: string, changes: object = {}) {
    if (rule === 'allocation')
      this.add('split', at, {
        ...{
          from_month: '2027-03',
          parts: { education: 400, reserve: 600 },
          cause: `standing-order ${number}`,
        },
      })
    const id = this.add('standing-order', at, {
      ...{ revision: 0, number, state: 'active', rule, account: 'treasury', chain_id: 56 },
      ...{ from_address: treasury, token_address: token, token_symbol: 'USDX', token_decimals: 2 },
      ...{ order_limit: '90000', month_limit: '90000', ends_at: new Date(start + 8000 * hour).toISOString() },
      ...{ percent: rule === 'allocation' ? 500 : null, day: rule === 'allocation' ? 5 : null, ...changes },
    })
    this.act(at, 'standing-order', number, ['standing-order', id])
  }
  byRule(at: number, number: number, standing: number, occasion: string, changes: object = {}) {
    this.order(at, number, 'announced', changes)
    this.add('standing-payment', at, { order: number, standing, occasion })
  }
  begin() {
    this.terms(-100)
    this.name(-99)
  }
}

/** The entries of the vote that the goal of the vectors won, as they were recorded. */
const wonVote = linesOf('5e60d2bb-goal-vote.ndjson').map((line): Entry => JSON.parse(line))

/** Fills a log, and checks it. */
function played(fill: (log: PaymentLog) => void, { withBegin = true, before = [] as Entry[] } = {}) {
  const log = new PaymentLog()
  if (withBegin) log.begin()
  fill(log)
  return check([...before, ...log.entries].map((entry) => JSON.stringify(entry)))
}
const paidAt = { tx_hash: hash('1'), ordinal: 0 }
const toEducation = {
  recipient: 'pool',
  recipient_account: 'education',
  to_address: education,
  type: 'donation',
}
const toGoal = { recipient: 'goal', recipient_account: goal, to_address: address('4'), type: 'dream' }
const tax = {
  direction: 'in',
  type: 'tax',
  account: 'treasury',
  from_address: address('1'),
  to_address: treasury,
}
const february = { occurred_at: '2027-02-10T00:00:00.000000Z', tx_hash: hash('2') }
const allocation = { chain_id: 56, month: '2027-02', standing: 4, split: 1, tax_usd: '1000.00' }
const divided = (log: PaymentLog, changes: object = {}, order: object = {}) => {
  log.row(0, { ...tax, ...february, amount_usd: '1000.00' })
  log.standing(1, 4, 'allocation')
  log.add('allocation', 100, { ...allocation, ...changes })
  log.byRule(100, 1, 4, '2027-02', { ...toEducation, token_amount: '20000', ...order })
}

/** An order that is sent again, because a reorganisation removed its payment, while another one is sent. */
function sentAgain(log: PaymentLog, { isGone = true, rules = 3 } = {}) {
  for (const number of [1, 2, 3]) log.approved(0, number)
  log.order(25, 1, 'sent')
  log.row(25)
  log.order(25, 1, 'paid', paidAt)
  log.order(26, 2, 'sent')
  if (isGone) log.reorganisation(27, true)
  log.rules = rules
  log.order(28, 1, 'sent')
}

const accepts = (what: string, fill: (log: PaymentLog) => void, before: Entry[] = []) =>
  test(`accepts ${what}`, async () => {
    expect((await played(fill, { before })).size).toBeGreaterThan(3)
  })

accepts('an order that is sent and paid, after which another one is sent', (log) => {
  log.approved(0, 1)
  log.approved(0, 2, { token_amount: '700' })
  log.order(25, 1, 'sent')
  log.row(25)
  log.order(26, 1, 'paid', paidAt)
  log.order(27, 2, 'sent')
  log.order(28, 2, 'failed', { tx_hash: hash('3') })
})
accepts('a block whose time is two minutes before the approval', (log) => {
  log.approved(1, 1)
  log.row(1.1, { occurred_at: new Date(start + 58.1 * 60_000).toISOString() })
  log.order(1.2, 1, 'paid', paidAt)
})
accepts('an order that is taken and expires', (log) => {
  log.approved(0, 1)
  log.act(1, 'take', 1, ['order', log.order(1, 1, 'taken')])
  log.order(24 + 7 * 24, 1, 'expired')
})
accepts('an order that two operators end, and that is paid later', (log) => {
  log.approved(0, 1)
  log.order(25, 1, 'sent')
  log.act(900, 'order-end', 1, ['order', log.order(900, 1, 'lost')])
  log.row(901, { occurred_at: new Date(start + 26 * hour).toISOString() })
  log.order(902, 1, 'paid', paidAt)
  log.act(903, 'payments-release', 'payments', null)
  log.approved(904, 2)
  log.order(929, 2, 'sent')
})
accepts(
  'a longer notice and a lower limit, which count immediately, and a new wallet after twice the notice',
  (log) => {
    log.terms(0, { notice_hours: 48, limit_tokens: 400 })
    log.approved(1, 1, { token_amount: '40000', due_at: new Date(start + 49 * hour).toISOString() })
    log.terms(100, { wallets: [{ account: 'treasury', address: treasury }] })
    log.terms(200)
    log.approved(200, 2, { ...toEducation, due_at: new Date(start + 248 * hour).toISOString() })
  },
)
accepts('an order that fails after a reorganisation removed its payment', (log) => {
  log.approved(0, 1)
  log.order(25, 1, 'sent')
  log.row(25)
  log.reorganisation(26, true)
  log.order(27, 1, 'failed', { tx_hash: hash('1') })
})
accepts('an order that is paid after its payment was removed, and is on the blockchain again', (log) => {
  log.approved(0, 1)
  log.order(25, 1, 'sent')
  log.row(25)
  log.reorganisation(26, true)
  log.reorganisation(27, false)
  log.order(27, 1, 'paid', paidAt)
})
accepts(
  'an order that is sent again after a reorganisation while another one is sent, and is paid by another transaction',
  (log) => {
    sentAgain(log)
    log.row(28, { tx_hash: hash('3'), occurred_at: new Date(start + 28 * hour).toISOString() })
    log.order(29, 1, 'paid', { tx_hash: hash('3'), ordinal: 0 })
    log.order(30, 2, 'failed', { tx_hash: hash('4') })
    log.order(31, 3, 'sent')
  },
)
accepts('an order that is paid by a transfer to which a reorganisation gave its amount', (log) => {
  log.approved(0, 1)
  log.order(25, 1, 'sent')
  log.row(25, { token_amount: '49500' })
  log.row(26, { revision: 1, occurred_at: new Date(start + 25 * hour).toISOString() })
  log.order(27, 1, 'paid', paidAt)
})
accepts('an order that failed, and that is paid after a reorganisation', (log) => {
  log.approved(0, 1)
  log.order(25, 1, 'sent')
  log.order(26, 1, 'failed', { tx_hash: hash('1') })
  log.row(27)
  log.rules = 3
  log.order(28, 1, 'paid', paidAt)
})
accepts('a month that is divided', (log) => divided(log))
accepts(
  'a goal that won',
  (log) => {
    log.standing(0, 5, 'vote')
    log.byRule(1, 1, 5, goal, { ...toGoal, token_amount: '100' })
  },
  wonVote,
)

const refuses = (what: string) => (which: string, sentence: string, fill: (log: PaymentLog) => void) =>
  test(`refuses ${what} ${which}`, async () => {
    await expect(played(fill)).rejects.toThrow(sentence)
  })
const refusesOrder = refuses('an order that')

refusesOrder('expired before its time', 'it expired within seven days', (log) => {
  log.approved(0, 1)
  log.order(0.02, 1, 'expired')
})
refusesOrder('is sent after its time', 'sent more than seven days after its notice', (log) => {
  log.approved(0, 1)
  log.order(24 * 9, 1, 'sent')
})
refusesOrder('is sent while payments are on hold', 'while payments were on hold', (log) => {
  log.approved(0, 1)
  log.act(1, 'payments-hold', 'payments', null)
  log.order(25, 1, 'sent')
})
refusesOrder('is sent after another was lost', 'while payments were on hold', (log) => {
  log.approved(0, 1)
  log.approved(0, 2)
  log.order(25, 1, 'sent')
  log.order(26, 1, 'lost', { tx_hash: hash('3') })
  log.order(27, 2, 'sent')
})
refusesOrder('is sent beside another', 'order 1 was sent and had not ended', (log) => {
  log.approved(0, 1)
  log.approved(0, 2)
  log.order(25, 1, 'sent')
  log.order(26, 2, 'sent')
})
for (const state of ['failed', 'lost'] as const)
  refusesOrder(
    `${state}, although the log has its payment`,
    'the ledger has the payment of this transaction',
    (log) => {
      log.approved(0, 1)
      log.order(25, 1, 'sent')
      log.row(25)
      log.order(26, 1, state, { tx_hash: hash('1') })
    },
  )
refusesOrder('is paid by a row that was in the log before', 'no such payment after its approval', (log) => {
  log.approved(0, 1)
  log.row(1)
  log.approved(1, 2)
  log.order(2, 2, 'paid', paidAt)
})
refusesOrder('is paid by a row that is three minutes older', 'no such payment after its approval', (log) => {
  log.approved(1, 1)
  log.row(1.1, { occurred_at: new Date(start + 57 * 60_000).toISOString() })
  log.order(1.2, 1, 'paid', paidAt)
})
refusesOrder('is sent after it was taken', 'it cannot go from taken to sent', (log) => {
  log.approved(0, 1)
  log.act(1, 'take', 1, ['order', log.order(1, 1, 'taken')])
  log.order(25, 1, 'sent')
})
refusesOrder('is taken without the act', 'the act that made it does not follow', (log) => {
  log.approved(0, 1)
  log.order(1, 1, 'taken')
  log.row(2)
})
refusesOrder('the command line took', 'does not name the operators', (log) => {
  log.approved(0, 1)
  log.act(1, 'take', 1, ['order', log.order(1, 1, 'taken')], { by: null })
})
refusesOrder('is stopped by an act about its sending', 'not the one that it made', (log) => {
  log.approved(0, 1)
  log.act(25, 'stop', 1, ['order', log.order(25, 1, 'sent')])
})
refusesOrder('one operator ended in flight', 'does not name the operators', (log) => {
  log.approved(0, 1)
  log.order(25, 1, 'sent')
  log.act(900, 'order-end', 1, ['order', log.order(900, 1, 'lost')], { second: null })
})
refusesOrder('is the last entry of the log', 'the act that made it does not follow', (log) => {
  log.order(0, 1, 'announced')
})
refusesOrder('is above the limit', 'above the limit of an order', (log) =>
  log.approved(0, 1, { token_amount: '100001' }),
)
refusesOrder('is above a limit that was raised within the notice', 'above the limit of an order', (log) => {
  log.terms(-1, { limit_tokens: 5000 })
  log.approved(0, 1, { token_amount: '100001' })
})
refusesOrder('is due before the notice', 'its notice is shorter', (log) =>
  log.approved(0, 1, { due_at: new Date(start + 23 * hour).toISOString() }),
)
refusesOrder(
  'is due after a notice that was shortened within the former one',
  'its notice is shorter',
  (log) => {
    log.terms(-1, { notice_hours: 1 })
    log.approved(0, 1, { due_at: new Date(start + 2 * hour).toISOString() })
  },
)
refusesOrder('goes to a new wallet after one notice', 'its notice is shorter', (log) => {
  log.terms(-1, { wallets: [{ account: 'treasury', address: treasury }] })
  log.terms(0)
  log.approved(0, 1, toEducation)
})
refusesOrder(
  'goes to a foreign wallet under the name of a pool',
  'not to the wallet of its recipient',
  (log) => log.approved(0, 1, { ...toEducation, to_address: address('6') }),
)
refusesOrder('is from a foreign wallet', 'not from the wallet of its account', (log) =>
  log.approved(0, 1, { from_address: address('6') }),
)
refusesOrder('has a token that takes no orders', 'its token takes no orders', (log) =>
  log.approved(0, 1, { token_decimals: 3 }),
)
refusesOrder('is on another chain', 'no terms of payments on its chain', (log) =>
  log.approved(0, 1, { chain_id: 97 }),
)
refusesOrder('goes to a wallet without a name', 'two operators did not name its recipient', (log) =>
  log.approved(0, 1, { to_address: address('6') }),
)
refusesOrder(
  'goes to a wallet that one operator named last',
  'two operators did not name its recipient',
  (log) => {
    log.name(-98, { second: null })
    log.approved(0, 1)
  },
)
refusesOrder('goes to a wallet that was named a moment before', 'its notice is shorter', (log) => {
  log.name(-1)
  log.approved(0, 1)
})
refusesOrder('has no terms before it', 'no terms of payments on its chain', (log) => {
  log.entries.splice(0, 1)
  log.approved(0, 1)
})
refusesOrder('goes to a goal that won no vote', 'no result by which its goal won', (log) => {
  log.add('goal', -1, { revision: 0, goal, stage: 'open', target_usd: '1000.00' }, false)
  log.standing(0, 5, 'vote')
  log.byRule(1, 1, 5, goal, toGoal)
})
refusesOrder('gives a goal more than it asks for', 'its goal did not ask for as much', (log) => {
  log.add('goal', -1, { revision: 0, goal, stage: 'open', target_usd: '900.00' }, false)
  log.approved(0, 1, toGoal)
  log.approved(1, 2, toGoal)
})
refusesOrder(
  'is paid by a transfer that a reorganisation removed',
  'a reorganisation removed its payment',
  (log) => {
    log.approved(0, 1)
    log.row(25)
    log.reorganisation(26, true)
    log.order(27, 1, 'paid', paidAt)
  },
)
refusesOrder(
  'is paid by a transfer whose newest row says another amount',
  'no such payment after its approval',
  (log) => {
    log.approved(0, 1)
    log.order(25, 1, 'sent')
    log.row(25)
    log.row(26, { revision: 1, token_amount: '49500' })
    log.order(27, 1, 'paid', paidAt)
  },
)
refusesOrder(
  'fails although its payment is on the blockchain again',
  'the ledger has the payment of this transaction',
  (log) => {
    log.approved(0, 1)
    log.order(25, 1, 'sent')
    log.row(25)
    log.reorganisation(26, true)
    log.reorganisation(27, false)
    log.order(28, 1, 'failed', { tx_hash: hash('1') })
  },
)
refusesOrder('is sent again without a reason', 'no reorganisation removed', (log) =>
  sentAgain(log, { isGone: false }),
)
refusesOrder('is sent again by the rules of version 2', 'cannot go from paid', (log) =>
  sentAgain(log, { rules: 2 }),
)
refusesOrder('was paid by hand and is sent again', 'no reorganisation removed its payment', (log) => {
  log.approved(0, 1)
  log.row(25)
  log.order(25, 1, 'paid', paidAt)
  log.reorganisation(27, true)
  log.rules = 3
  log.order(28, 1, 'sent')
})
refusesOrder('is sent while one is sent again', 'order 1 was sent and had not ended', (log) => {
  sentAgain(log)
  log.order(29, 2, 'failed', { tx_hash: hash('4') })
  log.order(30, 3, 'sent')
})
refusesOrder('skips a number', 'lacks an order with a number before it', (log) => log.approved(0, 2))

const refusesAllocation = refuses('an allocation with')

refusesAllocation('more tax than its rows', 'more than that of the rows', (log) =>
  divided(log, { tax_usd: '1000.01' }),
)
refusesAllocation('a tax without rows', 'more than that of the rows', (log) =>
  divided(log, { month: '2027-01' }),
)
refusesAllocation('a day that had not come', 'its day had not', (log) =>
  divided(log, { recorded_at: '2027-03-04T00:00:00.000000Z' }),
)
refusesAllocation('tax that a reorganisation removed', 'more than that of the rows', (log) => {
  log.row(0, { ...tax, ...february, amount_usd: '1000.00' })
  log.reorganisation(0.5, true, { tx_hash: hash('2') })
  log.standing(1, 4, 'allocation')
  log.add('allocation', 100, allocation)
})
refusesAllocation('no standing order', 'no standing order of this kind', (log) =>
  divided(log, { standing: 9 }),
)
refusesAllocation('more than the part of its recipient', 'more than the part of its recipient', (log) =>
  divided(log, {}, { token_amount: '20001' }),
)
refusesAllocation('a recipient without a part', 'more than the part of its recipient', (log) => {
  log.terms(-50, {
    wallets: [
      { account: 'animals', address: education },
      { account: 'treasury', address: treasury },
    ],
  })
  divided(log, {}, { recipient_account: 'animals' })
})

test('refuses a reorganisation that removes a transfer twice, brings back one that was there, or says neither', async () => {
  for (const all of [[true, true], [false], [null], [true, 'yes']])
    await expect(
      played((log) => {
        for (const gone of all) log.reorganisation(1, gone)
      }),
    ).rejects.toThrow('a reorganisation that changes nothing')
})

test('refuses a split whose parts are not 1000, terms that are malformed, and a release or an acceptance by one', async () => {
  const split = { from_month: '2027-03', parts: { education: 2000 }, cause: 'standing-order 4' }
  await expect(played((log) => log.add('split', 0, split))).rejects.toThrow('not 1000 together')
  for (const changes of [
    { wallets: null },
    { payer: '0x1' },
    { notice_hours: 0 },
    { tokens: [{ symbol: 'X' }] },
  ])
    await expect(played((log) => log.terms(0, changes))).rejects.toThrow(
      'terms of payments that are malformed',
    )
  for (const act of ['payments-release', 'payer-acceptance'])
    for (const people of [{ second: null }, { by: null, second: null }])
      await expect(played((log) => log.act(0, act, 'x', null, people))).rejects.toThrow(
        'does not name the operators',
      )
})

test('refuses an entry about the keys of a wallet that is not whole, that changes nothing, or that is older', async () => {
  const [one, two] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`]
  const safe = {
    ...{
      kind: 'custody',
      id: 1,
      recorded_at: '2026-01-01T00:00:00.000000Z',
      chain_id: 56,
      wallet: `0x${'7'.repeat(40)}`,
    },
    ...{ control: 'safe', version: '1.4.1', owners: [one, two], threshold: 2, modules: [], guard: null },
    ...{ handler: null, allowances: [], block_number: 9 },
  }
  const key = { ...safe, control: 'key', version: null, owners: [], threshold: null }
  const allowance = { token: two, symbol: 'USDX', decimals: 18, spender: one, amount: '1000' }
  const allowances = [allowance, { ...allowance, spender: two }]
  const log = (...entries: object[]) => check(entries.map((entry) => JSON.stringify(entry)))
  await expect(
    log(safe, { ...key, id: 2, block_number: 9 }, { ...safe, id: 3, block_number: 12 }),
  ).resolves.toMatchObject({
    size: 3,
  })
  // What was spent can be approved again, to the same amount.
  await expect(
    log({ ...safe, allowances }, { ...safe, id: 2, allowances }, { ...safe, id: 3, allowances: null }),
  ).resolves.toMatchObject({ size: 3 })
  for (const forged of [
    ...[
      { amount: '0' },
      { amount: 5 },
      { spender: null },
      { token: '0x1' },
      { decimals: -1 },
      { symbol: '' },
    ].map((changes) => ({ allowances: [{ ...allowance, ...changes }] })),
    ...[{ allowances: allowances.toReversed() }, { allowances: [null] }, { allowances: 'none' }],
    ...[
      { threshold: 3 },
      { threshold: 0 },
      { owners: [two, one] },
      { owners: [one, one] },
      { version: null },
    ],
    ...[
      { modules: ['0x1'] },
      { guard: 'none' },
      { control: 'key' },
      { control: 'multisig' },
      { wallet: null },
    ],
  ])
    await expect(log({ ...safe, ...forged }), JSON.stringify(forged)).rejects.toThrow(
      'Entry 0 does not say who can move the money of a wallet.',
    )
  const sentence = 'Entry 1 is about the keys of a wallet, and it changes nothing or is older.'
  await expect(log(safe, { ...safe, id: 2 })).rejects.toThrow(sentence)
  await expect(log(safe, { ...key, id: 2, block_number: 8 })).rejects.toThrow(sentence)
})

test('refuses a signature that shows no key: of another key, wallet, day or entry, or twice', async () => {
  const [one, two] = [privateKeyToAccount(`0x${'1'.repeat(64)}`), privateKeyToAccount(`0x${'2'.repeat(64)}`)]
  const [wallet, own] = [`0x${'7'.repeat(40)}`, two.address.toLowerCase()]
  const [signer, date] = [one.address.toLowerCase(), '2026-01-02']
  const none = {
    version: null,
    owners: [],
    threshold: null,
    modules: [],
    guard: null,
    handler: null,
    allowances: [],
  }
  const at = (time: string) => `${time}.000000Z`
  const control = {
    ...{
      kind: 'custody',
      id: 1,
      recorded_at: at('2026-01-01T08:00:00'),
      chain_id: 56,
      wallet,
      control: 'safe',
      ...none,
    },
    ...{ version: '1.4.1', owners: [signer], threshold: 1, block_number: 9 },
  }
  const ofKey = { ...control, ...none, id: 2, wallet: own, control: 'key' }
  const leafOf = (entry: object) =>
    createHash('sha256').update('\0').update(JSON.stringify(entry)).digest('hex')
  const named = { site: 'give.example', chainId: 56, wallet, signer, date, entry: 1, leaf: leafOf(ofKey) }
  /** The entry of a text that an account signed, with changed members. */
  const sign = async (changes: Partial<typeof named> = {}, by = one, after: object = {}) => {
    const { chainId, ...proof } = { ...named, ...changes }
    const signature = await by.signMessage({ message: writeKeyProof({ chainId, ...proof }) })
    const facts = {
      kind: 'custody-signature',
      id: 1,
      recorded_at: at('2026-01-02T09:00:00'),
      chain_id: chainId,
    }
    return { ...facts, ...proof, signature, ...after }
  }
  const log = (...more: object[]) => check([control, ofKey, ...more].map((entry) => JSON.stringify(entry)))
  const later = { recorded_at: at('2026-01-03T09:00:00'), id: 2 }
  const good = await sign()
  const ofOwn = await sign({ wallet: own, signer: own, entry: 2, leaf: leafOf(good) }, two, { id: 2 })
  await expect(log(good, ofOwn)).resolves.toMatchObject({ size: 4, shown: 2 })
  const old = {
    ...control,
    id: 3,
    recorded_at: at('2026-01-01T08:00:00'),
    threshold: 1,
    block_number: 12,
    handler: own,
  }
  const forgeries: [string, object[], string][] = [
    ['another key signed', [await sign({}, two)], 'the key did not sign it'],
    ['for another wallet', [{ ...good, wallet: own, signer: own }], 'the key did not sign it'],
    [
      'a key that is no owner',
      [await sign({ signer: own }, two)],
      'the log does not name this key for the wallet',
    ],
    [
      'a wallet that was not read',
      [await sign({ wallet: `0x${'8'.repeat(40)}` })],
      'the log does not name this key',
    ],
    [
      'two days old',
      [await sign({}, one, { recorded_at: at('2026-01-04T00:00:00') })],
      'its date is another day',
    ],
    ['of the future', [await sign({ date: '2026-01-03' })], 'its date is another day'],
    ['twice', [good, { ...good, id: 2 }], 'the key was shown on this day or later already'],
    [
      'an older day after a newer',
      [await sign({ date: '2026-01-03' }, one, later), { ...good, ...later, id: 3 }],
      'the key was shown',
    ],
    ['an entry that does not exist', [await sign({ leaf: 'ab'.repeat(32) })], 'it names no entry before it'],
    ['an entry after it', [await sign({ entry: 2 })], 'it names no entry before it'],
    [
      'signed in advance',
      [
        { ...old, recorded_at: at('2026-01-01T08:00:00') },
        await sign({ date: '2026-01-04' }, one, { recorded_at: at('2026-01-04T09:00:00') }),
      ],
      'the entry that it names was old on that day',
    ],
    ['for another chain', [{ ...good, chain_id: 97 }], 'the log does not name this key'],
    ['for another site', [{ ...good, site: 'other.example' }], 'the key did not sign it'],
    [
      'a changed byte',
      [{ ...good, signature: good.signature.replace(/.{4}$/, '001c') }],
      'the key did not sign it',
    ],
    ['no date', [{ ...good, date: '2026-13-01' }], 'it is malformed'],
  ]
  for (const [title, entries, fault] of forgeries)
    await expect(log(...entries), title).rejects.toThrow(`does not show a key: ${fault}`)
})

describe('answers of recipients', () => {
  const wallet = privateKeyToAccount(`0x${'1'.repeat(64)}`)
  const paidTo = wallet.address.toLowerCase()
  const transfer = { chain_id: 56, tx_hash: hash('4'), ordinal: 0 }
  const payment = `56/${hash('4')}/0`
  const timeAt = (at: number) => new Date(start + at * hour).toISOString().replace('Z', '000Z')
  const ofTwo = { by: 'ada', second: 'bob' }
  const said = {
    ...{ ask: 1, strength: 'wallet', by: null, second: null, row: 1, ...transfer, answer: 'yes' },
    ...{ time: timeAt(30).replace('.000000', ''), signature: null, name_hash: null, words_hash: null },
  }
  type Said = Partial<Record<keyof typeof said, unknown>>
  /** A row of the ledger: what a partner got. */
  const row = (log: PaymentLog, at: number, changes: object = {}) =>
    log.add(
      'transaction',
      at,
      {
        ...{ revision: 0, ...transfer, occurred_at: timeAt(10), account: 'education', counter_account: null },
        ...{
          direction: 'out',
          type: 'spending',
          pool: 'education',
          from_address: education,
          to_address: paidTo,
        },
        ...{
          token_address: token,
          token_symbol: 'USDT',
          token_decimals: 18,
          token_amount: '5',
          amount_usd: '5',
        },
        ...{ rate_usd: '1', rate_source: 'test', proof_hash: null, note_hash: null, ...changes },
      },
      false,
    )
  async function answer(log: PaymentLog, at: number, changes: Said = {}) {
    const facts = { ...said, ...changes }
    const message = writeSignedAnswer({
      ...{
        payment,
        row: Number(facts.row),
        wallet: paidTo,
        answer: `${facts.answer}`,
        time: `${facts.time}`,
      },
      wordsHash: null,
    })
    const isSigned = facts.strength === 'wallet' && !('signature' in changes)
    const signature = isSigned ? await wallet.signMessage({ message }) : facts.signature
    log.add('answer', at, { ...facts, signature })
  }
  const mail = { strength: 'mail', ...ofTwo, time: null }
  const print = { strength: 'print', by: 'ada', time: null }
  const contact = (log: PaymentLog, at: number, changes = {}) =>
    log.act(at, 'contact', paidTo, null, { ...ofTwo, ...changes })
  const lines = (log: PaymentLog) => log.entries.map((entry) => JSON.stringify(entry))

  test('a log with each strength, second answers and words passes', async () => {
    const log = new PaymentLog()
    contact(log, 1)
    row(log, 11)
    await answer(log, 30)
    await answer(log, 31, { answer: 'but', time: timeAt(31).replace('.000000', '') })
    await answer(log, 32, { ...mail, ask: 2, words_hash: 'a'.repeat(64) })
    log.act(33, 'answer-words', 3, null, { second: null })
    log.act(34, 'arrival-print', payment, null, { second: null })
    await answer(log, 35, { ...print, ask: 3, answer: 'no' })
    row(log, 40, { revision: 1 })
    await answer(log, 41, { ...mail, ask: 4, row: 2 })
    await expect(check(lines(log))).resolves.toMatchObject({ size: log.entries.length })
  })

  const other = privateKeyToAccount(`0x${'2'.repeat(64)}`)
  const forgeries: [title: string, says: string, write: (log: PaymentLog) => Promise<void>][] = [
    [
      'a signature by another wallet',
      'the wallet that was paid did not sign it',
      async (log) => answer(log, 30, { signature: await other.signMessage({ message: 'yes' }) }),
    ],
    [
      'a signed no that becomes a yes',
      'the wallet that was paid did not sign it',
      async (log) => {
        await answer(log, 30, { answer: 'no' })
        Object.assign(log.entries.at(-1) ?? {}, { answer: 'yes' })
      },
    ],
    [
      'a signature that is used for another payment',
      'it is not about the newest version of a payment to a recipient',
      (log) => answer(log, 30, { row: 2 }),
    ],
    ['a signature of a week ago', 'it was signed at another time', (log) => answer(log, 30 + 7 * 24)],
    [
      'a strength that does not exist',
      'no operator printed its link before',
      (log) => answer(log, 30, { ...print, strength: 'video' }),
    ],
    [
      'an address entered after the payment',
      'these two operators did not enter the address before the payment',
      (log) => {
        contact(log, 20)
        return answer(log, 30, mail)
      },
    ],
    [
      'an address that others entered',
      'these two operators did not enter the address before the payment',
      (log) => answer(log, 30, { ...mail, second: 'carol' }),
    ],
    [
      'an address that one operator entered',
      'these two operators did not enter the address before the payment',
      (log) => answer(log, 30, { ...mail, second: 'ada' }),
    ],
    ['a link that was not printed', 'no operator printed its link before', (log) => answer(log, 30, print)],
    [
      'a third answer of a link',
      'its link takes no more answers',
      async (log) => {
        for (const at of [30, 31, 32]) await answer(log, at, mail)
      },
    ],
    [
      'an answer by a link that was about another strength',
      'the same link was about something else',
      async (log) => {
        await answer(log, 30, mail)
        await answer(log, 31)
      },
    ],
    [
      'an answer to a payment that a reorganisation removed',
      'it is not about the newest version of a payment to a recipient',
      (log) => {
        log.add('reorganisation', 20, { ...transfer, gone: true })
        return answer(log, 30, mail)
      },
    ],
    [
      'an answer half a year after the first',
      'its link takes no more answers',
      async (log) => {
        await answer(log, 30, mail)
        await answer(log, 30 + 181 * 24, mail)
      },
    ],
  ]
  test.each(forgeries)('refuses %s', async (title, says, write) => {
    const log = new PaymentLog()
    if (!title.startsWith('an address entered after')) contact(log, 1)
    row(log, 11)
    await write(log)
    const last = log.entries.length - 1
    await expect(check(lines(log))).rejects.toThrow(
      `Entry ${last} is the answer of a recipient, and ${says}.`,
    )
  })
})
