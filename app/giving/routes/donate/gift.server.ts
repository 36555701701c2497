import type { AppLoadContext } from '@remix-run/cloudflare'
import { presets, unitsWorth } from '~/giving/amounts'
import { type AcceptedToken, minutesUntilListed } from '~/ledger/accepted'
import { listCausePayments } from '~/ledger/cause-payments.server'
import { readRate, type TokenRate } from '~/ledger/rates.server'
import { listPoolsWithTotals } from '~/ledger/totals.server'
import { type Account, listAccounts } from '~/ledger/wallets'
import { impactPools } from '~/platform/impact-pools'
import { readClock } from '~/platform/server/clock.server'
import type { Data } from '~/platform/server/data.server'
import type { Config } from '~/platform/server/env.server'
import { checksumAddress } from '~/wallet/address'
import { formatUnits } from '~/wallet/units'
import { coinLink } from './address'
import type { GoalCause } from './cause'
import type { Choice } from './choice'

/** How many of the newest payments are read to find the last payment to each pool. */
const searchedPayments = 60

/** The accounts in the order of the page: the pools, then the treasury and CZ Call. */
export function listCauses(config: Config): Account[] {
  const isPool = ({ slug }: Account) => impactPools.some((pool) => pool.slug === slug)
  return listAccounts(config).sort((one, other) => Number(isPool(other)) - Number(isPool(one)))
}

type Context = Pick<AppLoadContext, 'config' | 'language' | 'publicData'>

/** An offered amount of a token. */
export interface Preset {
  dollars: number
  units: bigint
  /** The amount of the token, such as '20 USDT'. */
  text: string
}

/** The offered amounts of a token, and the token's price; an empty list if no price is fresh. */
async function listPresets(
  token: AcceptedToken,
  { config, publicData, language: { formats } }: Context,
): Promise<{ presets: Preset[]; rate: TokenRate | null }> {
  const rate =
    token.priced === 'feed'
      ? await readRate(publicData(), config.CHAIN_ID, token.symbol, readClock(config))
      : null
  const price = token.priced === 'usd' ? '1' : rate?.rateUsd
  if (!price) return { presets: [], rate: null }
  const offered = presets.map((dollars) => {
    const units = unitsWorth(dollars, price, token.decimals)
    return { dollars, units, text: formats.typedTokens({ ...token, amount: units }) }
  })
  // The smallest unit of a token with few decimals may be worth more than an offered amount.
  return { presets: offered.filter(({ units }) => units > 0n), rate }
}

/** The data of the first step. If no wallet is configured, reads no figures. */
export async function readCauseStep(config: Config, data: Data, fault: Choice['fault']) {
  const causes = listCauses(config)
  const isOpen = causes.some(({ address }) => address)
  const [pools, payments] = isOpen
    ? await Promise.all([listPoolsWithTotals(data), listCausePayments(data, searchedPayments)])
    : [[], null]
  return {
    step: 'cause' as const,
    fault,
    isOpen,
    causes: causes.map(({ slug, address }) => ({ slug, isOpen: address !== undefined })),
    pools,
    payments,
    minutes: minutesUntilListed(config),
    former: config.FORMER_WALLETS,
  }
}

/** The data of the second step. `goal`: the goal of the gift, if the gift is for a goal. */
export async function readAmountStep(
  choice: Choice & { to: string },
  tokens: AcceptedToken[],
  context: Context,
  goal: GoalCause | null = null,
) {
  const token = tokens.find(({ symbol }) => symbol === choice.token) ?? tokens[0]
  if (!token) throw new Error('no token is accepted')
  return { step: 'amount' as const, choice, tokens, token, goal, ...(await listPresets(token, context)) }
}

/** The data of the third step: how to pay `units` of a token to the wallet of an account or of a goal. */
export async function readPayStep(
  { choice, token, units }: { choice: Choice & { to: string }; token: AcceptedToken; units: bigint },
  { config, language: { formats } }: Context,
  goal: (GoalCause & { wallet: string }) | null,
) {
  const wallet = goal?.wallet ?? listAccounts(config).find(({ slug }) => slug === choice.to)?.address
  if (!wallet) throw new Error('this account has no wallet')
  const address = checksumAddress(wallet)
  // Imported on demand, because no other public page needs this module.
  const { qrCodeOf } = await import('~/wallet/qr-code.server')
  return {
    step: 'pay' as const,
    choice,
    token,
    units,
    /** The amount that a person types into another app, such as '20'. */
    number: formatUnits(units, token.decimals),
    amount: formats.typedTokens({ ...token, amount: units }),
    goal: goal && { slug: goal.slug, title: goal.title },
    address,
    // The wallets of the demonstration are made up, so its page offers no way to pay.
    payment: config.DEMO
      ? null
      : {
          code: qrCodeOf(address),
          link: token.address === null ? coinLink(address, config.CHAIN_ID, units) : null,
        },
    chainId: config.CHAIN_ID,
    minutes: minutesUntilListed(config),
    former: config.FORMER_WALLETS,
  }
}

export type CauseStepData = Awaited<ReturnType<typeof readCauseStep>>
export type AmountStepData = Awaited<ReturnType<typeof readAmountStep>>
export type PayStepData = Awaited<ReturnType<typeof readPayStep>>
