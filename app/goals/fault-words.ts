import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Language } from '../platform/locales/language'
import type { DraftFault, MyGoal } from './my-goals.server'
import { sumPlan } from './plan'

/** The sentences for a text that names a way to pay, or a way to leave the site. */
export const outsideWords = {
  address: msg`Leave wallet addresses, account and telephone numbers out: the page shows the proven wallet.`,
  link: msg`Leave links, email addresses and @names out of this text (there is a field for links), and write a space after each full stop.`,
}

const missing: Record<DraftFault['field'], MessageDescriptor> = {
  title: msg`Add a title of at least 3 characters.`,
  byline: msg`Say who asks, in at least 2 characters.`,
  category: msg`Add a category.`,
  target: msg`Add a target.`,
  days: msg`Say for how many days it is open.`,
  plan: msg`Each line of the plan needs an amount and what it is for.`,
  story: msg`Write a story of at least 40 characters.`,
  picture: msg`The picture is no longer stored. Choose it again.`,
  picture_text: msg`Say what the picture shows.`,
  wallet: msg`Prove a new wallet, or choose one that you have proven.`,
}

const ofRange: Partial<Record<DraftFault['field'], MessageDescriptor>> = {
  target: msg`The target must be from $50 to $25,000.`,
  days: msg`Days must be a number from 7 to 30.`,
}

const ofWallet: Partial<Record<DraftFault['why'], MessageDescriptor>> = {
  unproven: msg`This wallet is no longer proven. Make a new account in your wallet app and prove it.`,
  taken: msg`This wallet belongs to another goal. Make a new account in your wallet app and prove it.`,
  used: msg`This wallet was used before. Make a new account in your wallet app and prove it.`,
}

/** A sentence about a missing or incorrect part of a draft. */
export function draftFaultWords(
  { field, why }: DraftFault,
  { plan, targetUsd }: Pick<MyGoal, 'plan' | 'targetUsd'>,
  { i18n, formats }: Pick<Language, 'i18n' | 'formats'>,
): string {
  if (why === 'sum') {
    const sum = formats.dollars(sumPlan(plan))
    const target = formats.dollars(targetUsd ?? 0)
    return i18n._(msg`The plan adds up to ${sum}. The target is ${target}.`)
  }
  if (why === 'address' || why === 'link') return i18n._(outsideWords[why])
  return i18n._(ofWallet[why] ?? (why === 'range' ? ofRange[field] : null) ?? missing[field])
}

/** Why the wallet check returned the goal to its member. */
export const walletFaultWords: Record<NonNullable<MyGoal['fault']>, MessageDescriptor> = {
  proof: msg`The proof of the wallet is no longer valid. Make a new account in your wallet app and prove it.`,
  ours: msg`The wallet is one of ours. Make a new account in your wallet app and prove it.`,
  used: msg`The wallet was used before. Make a new account in your wallet app and prove it.`,
  holds: msg`Something has arrived at the wallet already. Make a new account in your wallet app and prove it.`,
}
