import type { ActKind } from '../../app/console/act-kinds.ts'
import { toPictureLink } from '../../app/ledger/update-picture.ts'

const payee = `0x${'2'.repeat(40)}`
const time = '2025-03-01T12:00:00.000Z'

export const pictureSample = {
  ...{ path: `/pictures/pools/education/${'3'.repeat(64)}.webp`, width: 400, height: 300 },
  ...{ alt: 'A shelf of nine books', who: 'Amina, teacher', where: 'Riverside', when: 'March 2025' },
}

/** A value that the database stores for each field of each kind of act, and a reason. Names each field of a kind. */
export const actSamples: Record<ActKind, Record<string, string>> = {
  statement: {
    ...{ link: 'https://x.com/1', text: 'Give\nnow', author: 'CZ', posted: time, action: 'We gave' },
    ...{ captured: '2025-03-02T12:00:00.000Z', tx: `0x${'ab'.repeat(32)}`, reason: 'The words were wrong.' },
  },
  confirmation: { how: 'I opened the page.', reason: 'It is what CZ wrote.' },
  update: {
    ...{
      pool: 'education',
      text: 'Books',
      links: `https://a.b/c\n${toPictureLink('https://a.b', pictureSample)}`,
      dated: time,
    },
    ...{ helping: '12', helping_source: 'https://a.b/e' },
    ...{ person: 'yes', consent: 'Amina, by a letter of 3 March 2025', reason: 'The number was wrong.' },
  },
  purpose: {
    ...{ type: 'spending', pool: 'education', note: 'Books', proof: 'https://a.b/f' },
    reason: 'The receipt arrived.',
  },
  value: { rate: '612.5', rate_source: 'An exchange', reason: 'No rate was read.' },
  reading: { reason: 'The blockchain changed.' },
  name: { address: payee, name: 'Riverside Books, supplier', reason: 'They sold the books.' },
  withdrawal: { reason: 'It names a person.' },
  operator: { email: 'carol@example.org', handle: 'carol-2', reason: 'She reads Chinese.' },
  'operator-end': { reason: 'The year is over.' },
  introduction: { name: 'Mara', role: 'Publishes updates', keys: 'none', link: 'https://example.org/mara' },
  holder: {
    ...{ key: `0x${'7'.repeat(40)}`, role: 'Board member, Europe', handle: 'mara' },
    ...{ words: 'I sign on Mondays.', link: 'https://example.org/mara' },
  },
  order: {
    ...{ from: 'treasury', to: payee, token: 'USDT', amount: '12.5', type: 'cost', pool: 'education' },
    ...{ purpose: 'Rent', statement: 'https://x.com/2', reason: 'The rent is due.' },
  },
  stop: { reason: 'The school closed.' },
  take: { reason: 'The owners sign today.' },
  'order-end': { reason: 'Its nonce is used, and the token has no such transfer.' },
  'stop-reason': { reason: 'The school closed.' },
  'payments-hold': { reason: 'A key may be stolen.' },
  'payments-release': { reason: 'The key is safe.' },
  'standing-order': {
    ...{ rule: 'allocation', token: 'USDT', order_limit: '500', month_limit: '900', ends: time },
    ...{ purpose: 'Tax', source: 'https://feed.example/1', words: 'clean water\nwells', to: payee },
    ...{ amount: '77', pool: 'education', every: '7', percent: '50', day: '5' },
    ...{ split: 'education 60\nreserve 40', reason: 'The community asked for it.' },
  },
  suspend: { reason: 'The source was hijacked.' },
  'payer-acceptance': { reason: 'The backup of Monday was restored.' },
  'split-vote': {
    ...{ days: '7', least: '20 1 2 3 4 10', most: '60 41 42 43 44 45' },
    reason: 'It was asked for.',
  },
  'schedule-move': { site: 'https://new.example', reason: 'The domain has changed.' },
  redraw: { blocks: '5 6 7', reason: 'The chain had a long fork.' },
  'goal-approval': { reason: 'The proof is good.' },
  'goal-return': { reason: 'The plan is not clear.' },
  'goal-rejection': { reason: 'It is an advertisement.' },
  'goal-freeze': { hide: 'yes', reason: 'We asked a question.' },
  'goal-release': { reason: 'The answer is clear.' },
  'goal-annulment': { reason: 'The story is not theirs.' },
  'goal-report': { reason: 'Each sum is proven.' },
  'mistake-note': { reason: 'The rate was read from the wrong line.' },
  'goal-update': { reason: 'It thanks us for the hats.' },
  contact: {
    ...{ to: payee, email: 'shop@example.org', language: 'ar', who: 'organisation' },
    reason: 'The shop gave it to us.',
  },
  'arrival-print': { reason: 'The shop has no address.' },
  'answer-words': { reason: 'They name no one.' },
  'answer-rejection': { reason: 'They name another person.' },
  'complaint-dismissal': { reason: 'They answered each of them.' },
}
