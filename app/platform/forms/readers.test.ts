import { expect, test } from 'vitest'
import { firstCharacters } from '../first-characters.ts'
import { readAddress } from './address.ts'
import { readCode } from './code.ts'
import { readHash } from './hash.ts'
import { readName } from './name.ts'
import { readNumber } from './number.ts'

test.each([
  // https://github.com/emavgl/oinkoin/issues/56
  ['٢٠', '20'],
  ['٢٠٫٥٠', '20.50'],
  ['٢٠٫٥٠٠', '20.500'],
  ['١٬٢٣٤٫٥', '1234.5'],
  // https://github.com/michaelWuensch/BitBanana/issues/166
  ['۲۰', '20'],
  // https://github.com/mui/base-ui/pull/4719
  ['２０．５', '20.5'],
  // Keyboards of India: https://github.com/enketo/enketo/issues/35
  ['२०', '20'],
  ['১২৩', '123'],
  ['1,00,000.50', '100000.50'],
  ['1.234,50', '1234.50'],
  ['1,234.50', '1234.50'],
  ['1.234,500', '1234.500'],
  ['1,234,567', '1234567'],
  ['1 000', '1000'],
  ['1\u00a0000', '1000'],
  ['1\u202f000,5', '1000.5'],
  ["1'234.50", '1234.50'],
  ['1’234', '1234'],
  ['$20', '20'],
  ['20 $', '20'],
  ['＄20', '20'],
  ['€ 20', '20'],
  ['20 USDT', '20'],
  ['usdt 20', '20'],
  ['$1,234.50', '1234.50'],
  ['.5', '0.5'],
  [',5', '0.5'],
  // https://github.com/dannymcc/may/issues/237
  ['9,99', '9.99'],
  // https://github.com/symbol/desktop-wallet/issues/1531
  ['1.000,00', '1000.00'],
  // https://github.com/claudep/swiss-qr-bill/pull/107
  ['12,40', '12.40'],
  // https://github.com/saleor/saleor-dashboard/pull/6307
  ['1,234,567.89', '1234567.89'],
  ['1.234.567,89', '1234567.89'],
  // https://github.com/invoice-x/invoice2data/pull/306
  ["10'000", '10000'],
  ['\u200e20\u200f', '20'],
  ['\u202a20\u202c', '20'],
  ['0.125', '0.125'],
])('the number %j is %s', (typed, number) => {
  expect(readNumber(typed, 'USDT')).toEqual({ number })
})

test.each(['1,000', '1.250', '١,٢٣٤', '12،345', '$1,000', '1,000 USDT'])(
  'the number %j is ambiguous',
  (typed) => {
    expect(readNumber(typed, 'USDT')).toEqual({ fault: 'ambiguous' })
  },
)

test.each([
  ...[
    '',
    '.',
    '-5',
    '−5',
    '1e3',
    '10²',
    '½',
    '5.',
    '1,5,5',
    '1.2.3',
    '1,23,4',
    '12 34',
    '1 2345',
    '20 dollars',
  ],
  ...['0x14', '1,234.567.8', '1..5', '20%', '20 30', '$', 'USDT', 'ⅩⅩ', '二十', '9'.repeat(201)],
])('%j is no number', (typed) => {
  expect(readNumber(typed, 'USDT')).toEqual({ fault: 'invalid' })
})

test.each([
  ['123456', '123456'],
  ['123 456', '123456'],
  ['123-456', '123456'],
  ['123–456', '123456'],
  // https://github.com/andOTP/andOTP/issues/359
  ['٣٧١٣٣٣', '371333'],
  // https://github.com/devfolioco/react-otp-input/pull/440
  ['۱۲۳۴۵۶', '123456'],
  ['１２３４５６', '123456'],
  ['\u200b123456\ufeff', '123456'],
  ['\u2068123\u2069 456', '123456'],
  ['१२३४५६', '123456'],
  ['12345', null],
  ['1234567', null],
  ['12345a', null],
  ['①②③④⑤⑥', null],
  // https://github.com/pkovzz/ngx-otp-input/issues/22
  ['١٢٣٤٥ا', null],
])('the code %j is %s', (typed, code) => {
  expect(readCode(typed, 6)).toBe(code)
})

const hash = `0x${'ab'.repeat(32)}`
test.each([
  hash,
  hash.toUpperCase(),
  hash.slice(2),
  ` ${hash}\n`,
  `\u200b${hash}\u200e`,
  `https://bscscan.com/tx/${hash}`,
  `bscscan.com/tx/${hash}#eventlog`,
  `https://testnet.bscscan.com/tx/${hash}?a=1`,
  `https://www.oklink.com/bsc/tx/${hash}`,
  `${hash.slice(0, 40)}\r\n ${hash.slice(40)}`,
  `TxID: ${hash}`,
  `"${hash}".`,
  `<https://bscscan.com/tx/${hash}>`,
  // https://github.com/otterscan/otterscan/issues/2244, https://eips.ethereum.org/EIPS/eip-3091
  `https://sepolia.otterscan.example/tx/${hash}/logs`,
])('reads the transaction hash in %j', (typed) => {
  expect(readHash(typed)).toBe(hash)
})

test.each([
  '',
  hash.slice(0, -1),
  `${hash}0`,
  `https://bscscan.com/block/${hash}`,
  `https://evil.example/?u=${hash}`,
  `${hash} ${hash}`,
  hash.replace('b', 'g'),
])('%j has no transaction hash', (typed) => {
  expect(readHash(typed)).toBeNull()
})

const address = '0x52908400098527886E0F7030069857D2E4169EE7'
test.each([
  address,
  address.slice(2),
  `0X${address.slice(2)}`,
  `\u202a${address}\u202c`,
  `https://bscscan.com/address/${address}`,
  `https://bscscan.com/address/${address}#tokentxns`,
  `ethereum:${address}@56`,
  `ethereum:pay-${address}@56?value=1e18`,
  `eip155:56:${address}`,
  `${address.slice(0, 20)} ${address.slice(20)}`,
  `Address: ${address}`,
  // https://github.com/otterscan/otterscan/issues/2244
  `https://otterscan.example/address/${address}/erc20`,
  // https://github.com/pokettocash/poketto-ios/issues/86
  `ethereum:${address}`,
  `ethereum: ${address}@100?value=20`,
  // https://github.com/AlphaWallet/alpha-wallet-ios/pull/1193
  `ethereum:pay-${address}@3?value=1.23e18`,
  // https://eips.ethereum.org/EIPS/eip-3770
  `bnb:${address}`,
])('reads the address in %j', (typed) => {
  expect(readAddress(typed)).toBe(address)
})

test.each([
  // The link names the contract; the payee is a parameter: https://github.com/shapeshift/web/issues/2059
  `ethereum:${address}@56/transfer?address=${address}&uint256=1`,
  `https://bscscan.com/token/${address}?a=${address}`,
  `https://bscscan.com/tx/${address}`,
  `${address}0`,
  `${address} ${address}`,
])('%j has no address', (typed) => {
  expect(readAddress(typed)).toBe(typed)
})

test.each([
  // https://github.com/openstreetmap/openstreetmap-website/issues/4538
  ['\u200b'.repeat(15), ''],
  // https://github.com/mucklet/mucklet-client/issues/402
  ['\u3164\u3164\u3164', ''],
  // https://github.com/Facepunch/garrysmod-issues/issues/5908
  ['\u2062\u2063\u2064', ''],
  ['\u2800\u2800\u2800', ''],
  ['\u115f\u1160\u115f', ''],
  ['A\u200bn\u00ada\ufeff', 'Ana'],
  ['\u2068Ana\u2069', 'Ana'],
  ['An\u200da', 'Ana'],
  ['A\u0308nne', 'Änne'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
  ['🏳️\u200d🌈', '🏳️\u200d🌈'],
  ['🤷🏽\u200d♀️', '🤷🏽\u200d♀️'],
  ['क्\u200dष', 'क्\u200dष'],
  ['ක්\u200dෂ', 'ක්\u200dෂ'],
  [
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  ],
])('the name %j becomes %j', (typed, name) => {
  expect(readName(typed)).toEqual({ name })
})

// https://github.com/dcccrypto/percolator-launch/pull/2383, https://github.com/codidact/qpixel/issues/136,
// https://github.com/chatmail/core/issues/3479, https://github.com/bluesky-social/social-app/issues/447
test.each([
  'Evil Rabbit\u202e',
  '\u202eihsoM',
  // https://github.com/status-im/status-legacy/issues/6475
  'ana\u2029bob',
  'ana\u202egro.elpmaxe',
  '\u202dana',
  'a\u0000b',
  'ana\u2028bob',
  'ana\u{e0061}\u{e0062}',
])('the name %j is deceptive', (typed) => {
  expect(readName(typed)).toEqual({ fault: 'deceptive' })
})

test.each([
  ...['👨‍👩‍👧', '🇹🇷', 'e\u0301', 'क्षि'],
  // https://github.com/productdevbook/cizgile/issues/11
  ...['👍🏽', '\u1112\u1161\u11ab', 'त्रि'],
  // https://github.com/bitrix24/b24ui/issues/364: another flag
  '🇺🇸',
  // https://github.com/askama-rs/askama/issues/183
  ...['e\u0302\u0303', '👯‍♂️'],
  // https://github.com/woocommerce/woocommerce-admin/issues/8005
  '🏳️‍🌈',
  // https://github.com/rails/rails/pull/27319
  '💅🏾\u0308',
])('a cut text ends with a whole %s', (character) => {
  expect(firstCharacters(character.repeat(3), 2)).toBe(character.repeat(3).slice(0, -character.length))
})

test('a cut text of characters with very many marks has no half character', () => {
  // https://github.com/RSS-Bridge/rss-bridge/issues/4852
  for (const character of [`Z${'\u0351'.repeat(90)}`, `👩${'\u{1d165}'.repeat(90)}`]) {
    const cut = firstCharacters(character.repeat(9), 3)
    expect(cut).not.toBe('')
    expect(cut).not.toMatch(/\p{Cs}/u)
    expect(cut.length).toBeLessThanOrEqual(120)
  }
})
