import { msg } from '@lingui/core/macro'
import type { Text } from '../../platform/locales/i18n'
import type { Cents } from '../../platform/money'

/** A campaign of the preview. Campaigns, amounts and votes are mockup data (spec §2). */
export interface Campaign {
  id: string
  title: Text
  description: Text
  image: string
  currentAmount: Cents
  targetAmount: Cents
  votes: number
  daysLeft: number
  category: Text
}

export const campaigns: readonly Campaign[] = [
  {
    id: 'school-bags',
    title: msg`School Bags for Every Pupil`,
    description: msg`Bags, books and pens for the 85 pupils of a village school, where three children now share one textbook.`,
    image: '/drawings/campaign-education.svg',
    currentAmount: 527_000,
    targetAmount: 850_000,
    votes: 412,
    daysLeft: 30,
    category: msg`Education`,
  },
  {
    id: 'clinic-power',
    title: msg`A Clinic That Stays Open at Night`,
    description: msg`Solar panels and batteries for a rural clinic, so that births and emergencies don't have to wait for morning.`,
    image: '/drawings/campaign-health.svg',
    currentAmount: 1_140_000,
    targetAmount: 1_500_000,
    votes: 638,
    daysLeft: 20,
    category: msg`Health`,
  },
  {
    id: 'market-stalls',
    title: msg`Market Stalls After the Flood`,
    description: msg`Eleven families lost their stalls when the river rose. New stalls and goods put them back to work.`,
    image: '/drawings/campaign-business.svg',
    currentAmount: 792_000,
    targetAmount: 2_200_000,
    votes: 295,
    daysLeft: 25,
    category: msg`Small Business`,
  },
]

/** The campaign with this id, or undefined. */
export function findCampaign(id: string | undefined): Campaign | undefined {
  return campaigns.find((campaign) => campaign.id === id)
}

/** The percentage of the target that was raised, 0 to 100, rounded down: 100 means fully funded. */
export function percentRaised({
  currentAmount,
  targetAmount,
}: Pick<Campaign, 'currentAmount' | 'targetAmount'>) {
  return Math.min(100, Math.max(0, Math.floor((currentAmount / targetAmount) * 100)))
}
