import { expect, test } from 'vitest'
import { CookieJar } from './cookies.server.ts'

function jar(cookie: string, secure: boolean): CookieJar {
  return new CookieJar(cookie, { secure })
}

test('on https, only __Host- cookies are read and set', () => {
  const cookies = jar('notice=planted; __Host-notice=ours; sb-x=planted; __Secure-a=planted', true)
  expect(cookies.all()).toEqual([{ name: 'notice', value: 'ours' }])
  expect(cookies.get('sb-x')).toBeUndefined()
  cookies.set('draft', '1', { maxAge: 60 })
  cookies.expire('notice')
  cookies.expire('sb-x')
  expect(cookies.commit()).toEqual([
    '__Host-draft=1; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
    '__Host-notice=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
  ])
})

test('on http, where browsers refuse the prefix, cookies have plain names', () => {
  const cookies = jar('notice=ours', false)
  cookies.set('draft', '1', { maxAge: 60 })
  expect(cookies.get('notice')).toBe('ours')
  expect(cookies.commit()).toEqual(['draft=1; Max-Age=60; Path=/; HttpOnly; SameSite=Lax'])
})

test.each([true, false])(
  'a cookie whose name the request contains twice has no value and is not expired (https: %s)',
  (secure) => {
    const name = secure ? '__Host-a' : 'a'
    for (const header of [`${name}=1; ${name}=2`, `${name}=1;b=3;${name}=1`, `${name} =1; ${name}=`]) {
      const cookies = jar(header, secure)
      expect(cookies.get('a'), header).toBeUndefined()
      expect(cookies.getJson('a'), header).toBeUndefined()
      expect(cookies.isDuplicate('a'), header).toBe(true)
      expect(
        cookies.all().map((cookie) => cookie.name),
        header,
      ).toContain('a')
      cookies.expire('a')
      expect(cookies.commit(), header).toEqual([])
    }
  },
)

test('on https, duplicate cookies without the __Host- prefix are ignored', () => {
  // A subdomain may set a cookie with any of these names. Code that cuts the length of the prefix off each
  // name would turn the last name into one of ours.
  for (const other of ['a', 'b', '1234567a']) {
    const cookies = jar(`__Host-a=1; ${other}=2; ${other}=3`, true)
    expect([cookies.get('a'), cookies.isDuplicate('a')]).toEqual(['1', false])
  }
  for (const header of [
    '__Host-a=1; \u2003__Host-a=2',
    '__Host-a=1; \u00a0__Host-a=2',
    '__Host-a=1; __Host-a',
    // The code needs linear time; a regular expression took minutes for these headers.
    `__Host-a=1; ${' '.repeat(50_000)}`,
    `__Host-a=1; ${' '.repeat(50_000)}b${'\t'.repeat(50_000)}c=2`,
  ]) {
    const cookies = jar(header, true)
    expect([cookies.get('a'), cookies.isDuplicate('a')]).toEqual(['1', false])
  }
  expect(jar('__Host-a=1;\t__Host-a =2', true).isDuplicate('a')).toBe(true)
})

/** A draft whose username has this many Cyrillic letters. Each letter needs six characters in a cookie. */
const cyrillic = (letters: number) => ({ member: crypto.randomUUID(), username: 'ж'.repeat(letters) })

test.each([true, false])(
  'a JSON value becomes a cookie that browsers store, or no cookie (https: %s)',
  (secure) => {
    let longest = 0
    for (let letters = 560; letters < 700; letters++) {
      const cookies = jar('', secure)
      const isSet = cookies.setJson('draft', cyrillic(letters), { maxAge: 600 })
      const lines = cookies.commit()
      expect(lines).toHaveLength(isSet ? 1 : 0)
      expect(lines[0]?.length ?? 0).toBeLessThanOrEqual(4_096)
      if (isSet) longest = letters
    }
    expect(longest).toBeGreaterThanOrEqual(600)
  },
)

test('a JSON value is encoded once, and the next request reads the same value', () => {
  const cookies = jar('', false)
  const value = { username: 'Жанна; "100%", \\ %7B' }
  cookies.setJson('draft', value, { maxAge: 600 })
  expect(cookies.getJson('draft')).toEqual(value)
  const [line = ''] = cookies.commit()
  expect(line).toMatch(/^draft=%7B%22username%22%3A/)
  expect(jar(line.split('; ')[0] ?? '', false).getJson('draft')).toEqual(value)
})

test('the Set-Cookie line for each changed cookie is returned once, and the lines that expire a cookie come last', () => {
  const cookies = jar('a=1; b=2', false)
  cookies.expire('a')
  cookies.set('c', '3', { maxAge: 60 })
  cookies.set('c', '4', { maxAge: 60 })
  expect(cookies.commit().map((line) => line.split('; ')[0])).toEqual(['c=4', 'a='])
  expect(cookies.commit()).toEqual([])
  cookies.expire('b')
  expect(cookies.commit().map((line) => line.split('; ')[0])).toEqual(['b='])
})

test.each([
  ['%D0%B6', 'ж'],
  ['%zz 100%', '%zz 100%'],
  ['"quoted"', '"quoted"'],
  ['a=b=c', 'a=b=c'],
  ['', ''],
])('the cookie value %s is read as %s', (sent, value) => {
  expect(jar(`a=1; x =\t${sent} ;b=2`, false).get('x')).toBe(value)
})
