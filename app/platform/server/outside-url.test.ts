import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLoopback, isPublicIp, outsideUrlFault } from './outside-url.ts'

test.each(['https://www.binance.com/en/feed', 'https://a.b.example/feed.xml?x=1#y'])(
  '%s may be requested',
  (url) => {
    expect(outsideUrlFault(url, false)).toBeNull()
  },
)

test.each([
  'http://www.binance.com/feed',
  'https://www.binance.com:8443/feed',
  'https://name:word@www.binance.com/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://printer.local/',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://router/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[fd00::1]/',
  'http://127.0.0.1:8080/',
  'ftp://example.org/',
  'javascript:alert(1)',
  'nothing',
])('%s may not be requested', (url) => {
  expect(outsideUrlFault(url, false)).toEqual(expect.any(String))
})

test('a site on this machine may request URLs of this machine, but any other site may not', () => {
  expect(
    ['http://127.0.0.1:8787', 'http://localhost:1', 'https://goodblock.example'].map(isLoopback),
  ).toEqual([true, true, false])
  expect(outsideUrlFault('http://127.0.0.1:8080/feed', true)).toBeNull()
  for (const url of ['http://localhost:80/', 'https://127.0.0.1/', 'http://10.0.0.1/', 'http://a@127.0.0.1/'])
    expect(outsideUrlFault(url, true), url).toEqual(expect.any(String))
})

test('every spelling of an IPv4 address is refused', () => {
  const part = fc.integer({ min: 0, max: 255 })
  const spell = fc.constantFrom(10, 8, 16)
  fc.assert(
    fc.property(part, part, part, part, spell, (a, b, c, d, radix) => {
      const write = (value: number) =>
        radix === 10 ? `${value}` : radix === 8 ? `0${value.toString(8)}` : `0x${value.toString(16)}`
      const whole = ((a * 256 + b) * 256 + c) * 256 + d
      for (const host of [[a, b, c, d].map(write).join('.'), write(whole)])
        expect(outsideUrlFault(`https://${host}/`, false), host).toEqual(expect.any(String))
    }),
  )
})

test.each([
  ['http://192.168.1.5:8787', true],
  ['https://203.0.113.7', true],
  ['http://[2001:db8::1]:8787', true],
  ['http://127.0.0.1:8787', false],
  ['http://[::1]:8787', false],
  ['http://localhost:8787', false],
  ['https://goodblock.example', false],
])('%s is an IP address that others can open: %s', (url, expected) => {
  expect(isPublicIp(url)).toBe(expected)
})
