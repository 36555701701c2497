import { msg } from '@lingui/core/macro'
import { nearestPreset, presets } from '~/giving/amounts'
import type { AcceptedToken } from '~/ledger/accepted'
import type { Account } from '~/ledger/wallets'

/**
 * Why the page shows a choice that differs from the link's choice. The URL may contain the key of a reason.
 */
export const faultSentences = {
  cause: msg`We don't know the cause in that link. Please choose one. Any address you get elsewhere isn't ours.`,
  closed: msg`That cause isn't open yet. Please choose another one. Any address you get elsewhere isn't ours.`,
  token: msg`We don't accept the token in that link. This page shows those that we accept.`,
  amount: msg`We don't offer the amount in that link. This page shows the nearest one that we offer.`,
} as const
type Fault = keyof typeof faultSentences

/** The choices in a URL of /donate, each null until it is made. `amount` is in dollars. */
export interface Choice {
  to: string | null
  token: string | null
  amount: number | null
  fault: Fault | null
}

/** The URL of a choice. */
export function choicePath({ to, token, amount, fault }: Partial<Choice>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ to, token, amount, fault }))
    if (value) query.set(name, `${value}`)
  const text = query.toString()
  return text ? `/donate?${text}` : '/donate'
}

/**
 * The choice in a URL. `canonical` is the URL of this choice. If `canonical` differs from the requested URL,
 * that URL had a value that is not offered, and the visitor is redirected to the nearest choice. The page
 * shows no text from the URL.
 */
export function readChoice(
  asked: URLSearchParams,
  accounts: Pick<Account, 'slug' | 'address'>[],
  tokens: AcceptedToken[],
): { choice: Choice; canonical: string } {
  const choice = nearestChoice(asked, accounts, tokens)
  return { choice, canonical: choicePath(choice) }
}

function nearestChoice(
  asked: URLSearchParams,
  accounts: Pick<Account, 'slug' | 'address'>[],
  tokens: AcceptedToken[],
): Choice {
  const open = accounts.filter(({ address }) => address)
  const [to, token, amount, fault] = ['to', 'token', 'amount', 'fault'].map((name) => asked.get(name))
  const nothing = { to: null, token: null, amount: null, fault: null }
  const listedFault = Object.keys(faultSentences).find((word): word is Fault => word === fault) ?? null
  if (open.length === 0) return nothing
  // Only the giver chooses whom the money goes to, so an unknown cause leads back to the first step.
  if (to == null)
    return { ...nothing, fault: listedFault === 'closed' || listedFault === 'cause' ? listedFault : null }
  if (!open.some(({ slug }) => slug === to)) {
    const known = accounts.some(({ slug }) => slug === to)
    return { ...nothing, fault: known ? 'closed' : 'cause' }
  }
  const chosen = tokens.find(({ symbol }) => symbol === token)
  const usual = tokens[0]?.symbol ?? null
  // Without an amount, the page shows the tokens to choose from.
  if (token != null && !chosen) return { to, token: usual, amount: null, fault: 'token' }
  const preset = presets.find((preset) => `${preset}` === amount) ?? nearestPreset(amount ?? '')
  const isListed = amount == null || `${preset}` === amount
  return {
    to,
    token: chosen?.symbol ?? (preset === null ? null : usual),
    amount: preset,
    fault: isListed ? listedFault : 'amount',
  }
}
