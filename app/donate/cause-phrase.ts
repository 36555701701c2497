import { findPool } from '../impact-pools'

/** What a gift to an account goes to, inside a sentence: 'Education', 'CZ Call', 'the treasury'. */
export function causePhrase(slug: string | null): string | undefined {
  if (slug === 'treasury') return 'the treasury'
  return slug === 'donation-wallet' ? 'CZ Call' : findPool(slug)?.category
}

/** The same as a title: 'Treasury'. */
export function causeTitle(slug: string): string {
  return slug === 'treasury' ? 'Treasury' : (causePhrase(slug) ?? slug)
}
