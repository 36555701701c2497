import { impactPools } from '../platform/impact-pools.ts'

/** The accounts of the ledger: the treasury, the donation wallet, and one account for each pool. */
export const accounts = [
  {
    slug: 'treasury',
    name: /* i18n */ 'Treasury',
    purpose: /* i18n */ 'Collects the tax and funds the pools.',
  },
  { slug: 'donation-wallet', name: /* i18n */ 'Donation wallet', purpose: /* i18n */ 'Pays for CZ Calls.' },
  ...impactPools.map(({ slug, title }) => ({ slug, name: title, purpose: /* i18n */ 'Impact pool.' })),
]

/** Whether the account is one of the two accounts whose rows add up to the Treasury Balance. */
export function isTreasury(account: string | null | undefined): boolean {
  return account === 'treasury' || account === 'donation-wallet'
}

/** The name of the account with this slug; undefined for an unknown slug. */
export function accountName(slug: string | null | undefined): string | undefined {
  return accounts.find((account) => account.slug === slug)?.name
}

/** Account names in one language. */
interface Names {
  translate: (name: string) => string
  /** The language tag, for lowercase letters: Turkish has its own lowercase letter for I. */
  tag: string
}

/** The slug of an account, from its slug, name, or a part that only one name has. Ignores case. */
export function findAccount(
  text: string,
  { translate, tag }: Names = { translate: (name) => name, tag: 'en' },
): string | undefined {
  const lower = (name: string) => name.normalize().toLocaleLowerCase(tag)
  const wanted = lower(text)
  const named = accounts.map(({ slug, name }) => ({ slug, name: lower(translate(name)) }))
  const whole = named.find(({ slug, name }) => slug === wanted || name === wanted)
  const partly = named.filter(({ name }) => name.includes(wanted))
  return (whole ?? (partly.length === 1 ? partly[0] : undefined))?.slug
}
