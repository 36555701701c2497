import { expect, test } from 'vitest'
import { readPictureLink, toPictureLink } from './update-picture'

const path = `/pictures/pools/education/${'a'.repeat(64)}.webp`
const picture = { path, width: 1024, height: 683, alt: 'Forty desks, “new” & paid for' }

test('a picture link has the form that updates require for links, and contains all properties of the picture', () => {
  const link = toPictureLink('http://127.0.0.1:8787', picture)
  expect(link).toMatch(/^https:\/\/127\.0\.0\.1:8787\/pictures\/pools\/\S+$/)
  expect(readPictureLink(link)).toEqual(picture)
})

test('the link of a photograph contains the name, the place and the day, and omits an empty one', () => {
  const caption = { who: 'Amina, pupil & goalkeeper', where: 'Hillside', when: 'September 2025' }
  expect(readPictureLink(toPictureLink('https://a.example', { ...picture, ...caption }))).toEqual({
    ...picture,
    ...caption,
  })
  const link = toPictureLink('https://a.example', { ...picture, who: undefined, where: 'Hillside' })
  expect(readPictureLink(link)).toEqual({ ...picture, where: 'Hillside' })
})

test('a link can refer to a drawing from this site', () => {
  const drawing = { ...picture, path: '/drawings/scenes/clinic.svg' }
  expect(readPictureLink(toPictureLink('https://example.org', drawing))).toEqual(drawing)
})

test.each([
  'https://example.org/report',
  `https://example.org${path}`,
  `https://example.org${path}#width=1&height=1`,
  `https://example.org${path}#width=x&height=1&alt=a`,
  `https://example.org/pictures/pools/../${'a'.repeat(64)}.webp#width=1&height=1&alt=a`,
  'https://example.org/drawings/scenes/../mark.svg#width=1&height=1&alt=a',
  `https://example.org/x${path}#width=1&height=1&alt=a`,
])('%s is not a link to a picture', (link) => {
  expect(readPictureLink(link)).toBeNull()
})
