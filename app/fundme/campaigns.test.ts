import { describe, expect, it, vi } from 'vitest'
import { campaigns, findCampaign, percentRaised } from '~/fundme/campaigns'
import { refuseWhileClosed } from '~/fundme/closed.server'
import { parseCampaign } from '~/fundme/create.server'

const complete = {
  title: 'A well',
  category: 'Water',
  targetAmount: '8500.50',
  description: 'A well for a village.',
  image: 'https://example.org/well.jpg',
}

function parse(changes: Record<string, string>) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...complete, ...changes })) form.set(name, value)
  return parseCampaign(form)
}

function refusedFields(changes: Record<string, string>): string[] {
  const submission = parse(changes)
  return submission.status === 'success' ? [] : Object.keys(submission.error ?? {})
}

describe('Create Fund Pool', () => {
  it('accepts a form without proof, and reads the target as a number', () => {
    const submission = parse({})
    expect(submission.status === 'success' && submission.value).toEqual({ ...complete, targetAmount: 8500.5 })
  })

  it('accepts proof', () => {
    const submission = parse({ proof: 'A quote from the driller' })
    expect(submission.status === 'success' && submission.value.proof).toBe('A quote from the driller')
  })

  it.each(['title', 'category', 'targetAmount', 'description', 'image'])('requires %s', (field) => {
    expect(refusedFields({ [field]: '' })).toEqual([field])
  })

  it.each(['title', 'category', 'description'])('refuses spaces as %s', (field) => {
    expect(refusedFields({ [field]: '   ' })).toEqual([field])
  })

  it.each(['0', '-5', 'a lot', 'Infinity', 'NaN'])('refuses a target of %s', (targetAmount) => {
    expect(refusedFields({ targetAmount })).toEqual(['targetAmount'])
  })

  it.each(['well.jpg', 'http://example.org/well.jpg', 'javascript:alert(1)', 'https://'])(
    'refuses an image at %s',
    (image) => {
      expect(refusedFields({ image })).toEqual(['image'])
    },
  )

  it('returns one message for each invalid field', () => {
    const messages = (changes: Record<string, string>) => {
      const submission = parse(changes)
      return submission.status === 'success' ? {} : submission.error
    }
    expect(messages({ title: '' })).toEqual({ title: ['Title is required'] })
    expect(messages({ targetAmount: '' })).toEqual({ targetAmount: ['Target amount is required'] })
    expect(messages({ targetAmount: 'much' })).toEqual({ targetAmount: ['Target amount must be a number'] })
    expect(messages({ targetAmount: '0' })).toEqual({ targetAmount: ['Target amount must be more than 0'] })
    expect(messages({ image: '' })).toEqual({ image: ['Image URL is required'] })
    expect(messages({ image: 'x' })).toEqual({ image: ['Image must be a URL that starts with https://'] })
  })
})

describe('the preview', () => {
  it('has the campaigns of the specification', () => {
    expect(campaigns.map(({ targetAmount }) => targetAmount / 100)).toEqual([8500, 15000, 22000])
    expect(campaigns.map(({ daysLeft }) => daysLeft)).toEqual([30, 20, 25])
    expect(campaigns.map(({ category }) => category)).toEqual(['Education', 'Health', 'Small Business'])
  })

  it('finds a campaign by its id only', () => {
    expect(findCampaign('clinic-power')).toBe(campaigns[1])
    expect(findCampaign('constructor')).toBeUndefined()
    expect(findCampaign(undefined)).toBeUndefined()
  })

  it.each([
    [0, 100, 0],
    [-50, 100, 0],
    [999, 1000, 99],
    [1000, 1000, 100],
    [1500, 1000, 100],
  ])('shows %i of %i as %i%%', (currentAmount, targetAmount, percent) => {
    expect(percentRaised({ currentAmount, targetAmount })).toBe(percent)
  })

  it('refuses every form while FundMe is closed, without reading the body', () => {
    const warn = vi.fn()
    const request = new Request('http://site.test/giveback', { method: 'POST', body: 'title=x' })
    const answer = refuseWhileClosed({ request, params: {}, context: { log: { warn } } as never })
    expect(answer.init).toEqual({ status: 403 })
    expect(request.bodyUsed).toBe(false)
    expect(warn).toHaveBeenCalledWith('fundme.closed', { method: 'POST' })
  })
})
