import { expect, test } from 'vitest'
import { explorerLink, explorerOf } from './explorer.ts'
import { endOfDay, filterSearch, hashOf, inMonth, parseFilter, partyOf, wholeMonthOf } from './filter.ts'
import { typeLabel } from './transactions.ts'
import { listWallets, walletName } from './wallets.ts'

const parse = (search: string) => parseFilter(new URLSearchParams(search))

test('reads a filter from a URL, and writes the same filter as a URL', () => {
  const search = '?type=donation&pool=education&from=2025-01-01&to=2025-12-31'
  const { filter, ignored } = parse(search)
  expect(filter).toEqual({ type: 'donation', pool: 'education', from: '2025-01-01', to: '2025-12-31' })
  expect(ignored).toEqual([])
  expect(filterSearch(filter)).toBe(search)
  expect(filterSearch({}, { before: '1-2' })).toBe('?before=1-2')
  expect(filterSearch({})).toBe('')
})

test('ignores the empty fields of a form', () => {
  expect(parse('type=&pool=&from=&to=+')).toEqual({ filter: {}, ignored: [] })
})

test.each([
  ['type=loan', 'type'],
  ['status=fine', 'status'],
  ['direction=up', 'direction'],
  ['wallet=mine', 'wallet'],
  ['q=0x12', 'Search'],
  ['q=charity%20of%20unknown', 'Search'],
  ['type=toString', 'type'],
  ['pool=water', 'pool'],
  ['from=yesterday', '"From"'],
  ['from=2025-02-30', '"From"'],
  ['to=2025-13-01', '"To"'],
  ['to=0000-01-01', '"To"'],
  ['from=2025-02-02&to=2025-02-01', 'both'],
])('omits and reports the invalid parameters %s', (search, word) => {
  const { filter, ignored } = parse(search)
  expect(filter).toEqual({})
  expect(ignored).toHaveLength(1)
  expect(ignored[0]?.page).toContain(word)
  // A file with an invalid filter is refused, so the message must not mention a page shown instead.
  expect(ignored[0]?.file).not.toMatch(/showing|ignored/)
})

test('searches for a hash, an address or the name of an account, and ignores case', () => {
  const q = (text: string) => parse(new URLSearchParams({ q: text }).toString()).filter.q
  expect(q(`0x${'AB'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`)
  expect(q(` 0x${'AB'.repeat(32)} `)).toBe(`0x${'ab'.repeat(32)}`)
  // https://github.com/otterscan/otterscan/issues/2244
  expect(q(`https://bscscan.com/address/0x${'AB'.repeat(20)}#tokentxns`)).toBe(`0x${'ab'.repeat(20)}`)
  expect(q(`https://bscscan.com/tx/0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
  expect(q(`\u200b${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
  expect(q(`ethereum:0x${'AB'.repeat(20)}@56`)).toBe(`0x${'ab'.repeat(20)}`)
  expect(q('animal')).toBe('animal-welfare')
  expect(q('TREASURY')).toBe('treasury')
  expect(q('education')).toBe('education')
})

test('omits the wallet if the search is an address or an account, and combines a hash with a wallet', () => {
  const party = parse(`q=0x${'ab'.repeat(20)}&wallet=treasury`)
  expect(party.filter).toEqual({ q: `0x${'ab'.repeat(20)}` })
  expect(party.ignored).toHaveLength(1)
  const hash = parse(`q=0x${'ab'.repeat(32)}&wallet=treasury`)
  expect(hash.filter).toEqual({ q: `0x${'ab'.repeat(32)}`, wallet: 'treasury' })
  expect([partyOf(hash.filter), hashOf(hash.filter)]).toEqual(['treasury', `0x${'ab'.repeat(32)}`])
})

test('keeps the valid parameters if one parameter is invalid', () => {
  const { filter, ignored } = parse('type=tax&pool=nope&from=2025-01-01')
  expect(filter).toEqual({ type: 'tax', from: '2025-01-01' })
  expect(ignored).toHaveLength(1)
})

test.each([
  ['2025-01-31', '2025-02-01T00:00:00.000Z'],
  ['2024-02-28', '2024-02-29T00:00:00.000Z'],
  ['2999-12-31', '3000-01-01T00:00:00.000Z'],
])('the day %s ends at %s', (day, end) => expect(endOfDay(day)).toBe(end))

test('recognises a filter that covers exactly one month', () => {
  const july = inMonth({}, new Date('2025-07-09T12:00:00Z'))
  expect(wholeMonthOf(july)).toEqual(new Date('2025-07-01T00:00:00Z'))
  expect(wholeMonthOf({ from: '2025-07-01' })).toBeNull()
  expect(wholeMonthOf({ ...july, to: '2025-07-30' })).toBeNull()
  expect(wholeMonthOf({ ...july, from: '2025-06-01' })).toBeNull()
  expect(wholeMonthOf({})).toBeNull()
})

test("labels an unknown type as 'Not explained yet'", () => {
  expect(typeLabel('donation')).toBe('Donation')
  expect(typeLabel('constructor')).toBe('Not explained yet')
  expect(typeLabel('swap')).toBe('Not explained yet')
})

test('lists the configured wallets, and finds a wallet by its address in upper or lower case', () => {
  const wallets = listWallets({
    TREASURY_WALLET: `0x${'aB'.repeat(20)}`,
    DONATION_WALLET: undefined,
    POOL_WALLET_EDUCATION: `0x${'11'.repeat(20)}`,
    POOL_WALLET_RELIEF: undefined,
    POOL_WALLET_ANIMALS: undefined,
  })
  expect(wallets.map(({ name }) => name)).toEqual(['Treasury', 'Education Programme'])
  expect(walletName(wallets, `0x${'ab'.repeat(20)}`)).toBe('Treasury')
  expect(walletName(wallets, `0x${'22'.repeat(20)}`)).toBeUndefined()
})

test('links to the block explorer; in the demonstration, links to pages of this site', () => {
  const none = explorerOf({ DEMO: true, EXPLORER_URL: 'https://bscscan.com', CHAIN_ID: 56 })
  expect(explorerLink(none, 'tx', '0x1')).toBe('/transparency?q=0x1#history')
  expect(explorerLink(none, 'address', '0x2')).toBe('/transparency?q=0x2#history')
  expect(explorerLink(none, 'token', '0x3')).toBeNull()
  const explorer = explorerOf({ DEMO: false, EXPLORER_URL: 'https://bscscan.com/', CHAIN_ID: 56 })
  expect(explorerLink(explorer, 'tx', '0x1')).toBe('https://bscscan.com/tx/0x1')
})
