import { expect, test } from 'vitest'
import { createEnglish } from '../../platform/locales/language.ts'
import { campaigns, findCampaign, percentRaised } from './campaigns.ts'

test('the preview has the campaigns that the specification lists', () => {
  expect(campaigns.map(({ targetAmount }) => targetAmount / 100)).toEqual([8500, 15000, 22000])
  expect(campaigns.map(({ daysLeft }) => daysLeft)).toEqual([30, 20, 25])
  expect(campaigns.map(({ category }) => createEnglish().i18n._(category))).toEqual([
    'Education',
    'Health',
    'Small Business',
  ])
})

test('finds a campaign only by its id', () => {
  expect(findCampaign('clinic-power')).toBe(campaigns[1])
  expect(findCampaign('constructor')).toBeUndefined()
  expect(findCampaign(undefined)).toBeUndefined()
})

test.each([
  [0, 100, 0],
  [-50, 100, 0],
  [999, 1000, 99],
  [1000, 1000, 100],
  [1500, 1000, 100],
])('%i cents of a target of %i are shown as %i percent', (currentAmount, targetAmount, percent) => {
  expect(percentRaised({ currentAmount, targetAmount })).toBe(percent)
})
