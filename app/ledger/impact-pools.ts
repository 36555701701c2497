import type { IconName } from '../ui/icon'

/** What is told about an impact pool. Its figures come from the ledger; `beneficiaries` is the project's own text. */
export interface ImpactPool {
  slug: string
  title: string
  category: string
  icon: IconName
  image: string
  shareImage: string
  description: string
  detailedDescription: string[]
  beneficiaries: string
}

/** The permanent pools, in the order of the page. Their slugs are those of the ledger's rows. */
export const impactPools: readonly ImpactPool[] = [
  {
    slug: 'education',
    title: 'Education Programme',
    category: 'Education',
    icon: 'education',
    image: '/drawings/pool-education.svg',
    shareImage: '/share/pool-education.png',
    description: 'Schools, teachers and the things a pupil needs to stay in class.',
    detailedDescription: [
      'A child who stays in school earns more, marries later and passes both on. What keeps a child out is often small: a fee, a uniform, a pair of glasses, an hour of walking.',
      'This pool pays for such things: fees and books, teachers where there are none, and free lessons that work on an old phone. It gives to organisations that run schools already and that publish what they spend.',
    ],
    beneficiaries: '0 students',
  },
  {
    slug: 'humanitarian-relief',
    title: 'Humanitarian Relief Foundation',
    category: 'Humanitarian Relief',
    icon: 'relief',
    image: '/drawings/pool-relief.svg',
    shareImage: '/share/pool-relief.png',
    description: 'Water, food, shelter and medicine where war, drought or flood took them away.',
    detailedDescription: [
      'In the first days of a disaster money is worth more than goods: it buys what is missing, next door, today. After that it pays for the dull things that keep people alive: clean water, a tent that lasts, a clinic with power.',
      'This pool stands ready for both, from Gaza to drought in Africa. It gives to relief organisations with staff on the ground and access to the people they help, and to wells and water points that outlast the emergency.',
    ],
    beneficiaries: '0 families',
  },
  {
    slug: 'animal-welfare',
    title: 'Animal Welfare Charity',
    category: 'Animal Welfare',
    icon: 'animals',
    image: '/drawings/pool-animals.svg',
    shareImage: '/share/pool-animals.png',
    description: 'Shelters, vets and rescue for animals that nobody speaks for.',
    detailedDescription: [
      'Shelters fill up faster than homes are found, and most of their money goes into food and the vet. Neutering and vaccination cost little and prevent the most suffering, yet they are the first things to be cut.',
      'This pool pays vet bills, vaccination and neutering rounds, and food for shelters that take in whatever comes. It gives to charities that publish how many animals they took in, treated and placed.',
    ],
    beneficiaries: '0 animals',
  },
]

/** The pool at an address, if there is one. */
export function findPool(slug: string | null | undefined): ImpactPool | undefined {
  return impactPools.find((pool) => pool.slug === slug)
}

/** A pool with what the ledger says about it; null where the ledger does not answer. */
export type PoolWithTotals = ImpactPool & { totals: PoolTotals | null }

/** What a pool was given, by the donations that are verified on chain and valued; the others are counted. */
export interface PoolTotals {
  total: number
  pending: number
  disputed: number
  unvalued: number
  lastDonationAt: Date | null
}
