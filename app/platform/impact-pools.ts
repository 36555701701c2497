/**
 * The impact pools: the only place in the code that lists them. A new pool needs:
 *
 * 1. a row here, with two pictures in public/ and a pictogram of platform/ui/pictogram.tsx,
 * 2. a hue in ui/hues.css, in both themes,
 * 3. a variable for its wallet, in .dev.vars.example and where the site runs (docs/deploying.md),
 * 4. its texts in each catalog (`npm run messages`, docs/languages.md).
 *
 * Texts are marked for the catalogs, and pages show them by `key` (platform/locales/key.ts), because scripts read this
 * table too. The rest of the code reads this table: configuration, wallets, the ledger job, pages, filters,
 * feeds, the sitemap and the operator's commands. The ledger job keeps the accounts of the database like this
 * table: a pool that is removed is closed there, after its votes and orders have ended. impact-pools.test.tsx adds a
 * fourth pool and checks all of these.
 */

/** The form of a slug, as a part of a regular expression. The constraint accounts_slug_format has the same form. */
export const slugPattern = '[a-z][a-z-]{0,49}'

/** A row of the table. A pool's figures come from the ledger. */
interface Row {
  /** The name of the pool in URLs and in the ledger's rows. */
  slug: string
  title: string
  category: string
  /** The variable that contains the address of the pool's wallet. */
  walletVariable: `POOL_WALLET_${string}`
  /** The name of a pictogram (platform/ui/pictogram.tsx). */
  icon: string
  /** The path of a drawing of 480 by 270 pixels. */
  image: string
  /** The path of the share card, 1200 by 630 pixels. */
  shareImage: string
  description: string
  detailedDescription: readonly string[]
  /** The people or animals that the pool helps. The count is 0 until an update states a number. */
  beneficiaries: string
}

/** The permanent pools, in the order of the page. */
export const impactPools = [
  {
    slug: 'education',
    title: /* i18n */ 'Education Programme',
    category: /* i18n */ 'Education',
    walletVariable: 'POOL_WALLET_EDUCATION',
    icon: 'education',
    image: '/drawings/pool-education.svg',
    shareImage: '/share/pool-education.png',
    description: /* i18n */ 'Schools, teachers and the things a pupil needs to stay in class.',
    detailedDescription: [
      /* i18n */ 'Children who stay in school earn more, and so do their children. Often something small keeps them out: a fee, a uniform, glasses, a long walk.',
      /* i18n */ 'This pool pays for school fees, books and teachers, and for free lessons that work on an old phone. It gives to organisations that already run schools and publish what they spend.',
    ],
    beneficiaries: /* i18n */ '{count} students',
  },
  {
    slug: 'humanitarian-relief',
    title: /* i18n */ 'Humanitarian Relief Foundation',
    category: /* i18n */ 'Humanitarian Relief',
    walletVariable: 'POOL_WALLET_RELIEF',
    icon: 'relief',
    image: '/drawings/pool-relief.svg',
    shareImage: '/share/pool-relief.png',
    description: /* i18n */ 'Water, food, shelter and medicine where war, drought or flood took them away.',
    detailedDescription: [
      /* i18n */ 'In the first days of a disaster, money helps more than goods: it buys what is missing, nearby, on the same day. After that it pays for what keeps people alive: clean water, a tent that lasts, a clinic with power.',
      /* i18n */ 'This pool pays for both, from Gaza to droughts in Africa. It gives to relief organisations with staff on the ground and access to the people they help, and to wells and water points that outlast the emergency.',
    ],
    beneficiaries: /* i18n */ '{count} families',
  },
  {
    slug: 'animal-welfare',
    title: /* i18n */ 'Animal Welfare Charity',
    category: /* i18n */ 'Animal Welfare',
    walletVariable: 'POOL_WALLET_ANIMALS',
    icon: 'animals',
    image: '/drawings/pool-animals.svg',
    shareImage: '/share/pool-animals.png',
    description: /* i18n */ 'Shelters, vets and rescue for animals with no one to help them.',
    detailedDescription: [
      /* i18n */ 'Shelters fill up faster than homes are found, and most of their money goes into food and the vet. Neutering and vaccination cost little and prevent the most suffering, yet they are the first things to be cut.',
      /* i18n */ 'This pool pays vet bills, vaccination and neutering rounds, and food for shelters that turn no animal away. It gives to charities that publish how many animals they took in, treated and placed.',
    ],
    beneficiaries: /* i18n */ '{count} animals',
  },
] as const satisfies readonly Row[]

export type ImpactPool = (typeof impactPools)[number]

/** The pool with this slug, or undefined. */
export function findPool(slug: string | null | undefined): ImpactPool | undefined {
  return impactPools.find((pool) => pool.slug === slug)
}
