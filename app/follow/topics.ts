import { msg } from '@lingui/core/macro'
import { isGoalSlug } from '../platform/goal-slug'
import { findPool, impactPools } from '../platform/impact-pools'
import type { I18n, Text } from '../platform/locales/i18n'
import { key } from '../platform/locales/key'

/** The topics other than pools and goals. Only members can follow `gifts`. */
const others = {
  'cz-call': { name: 'CZ Call', path: '/cz-call' },
  month: {
    name: msg({
      message: 'the monthly account',
      comment: 'Inside a sentence, after "Follow" or "emails about"',
    }),
    path: '/transparency',
  },
  opens: {
    name: msg({
      message: 'the opening',
      comment: 'Inside a sentence, after "Follow" or "emails about": when the site can take gifts',
    }),
    path: '/',
  },
  gifts: {
    name: msg({
      message: 'the pools that you gave to',
      comment: 'Inside a sentence, after "Follow" or "emails about"',
    }),
    path: '/dashboard/follows',
  },
} as const

/** The topics that everyone can follow at any time. */
export const publicTopics: readonly string[] = [...impactPools.map(({ slug }) => slug), 'cz-call', 'month']
export const memberTopics: readonly string[] = [...publicTopics, 'gifts']

/** True if everyone can follow a topic. `goals`: whether goals can be. The database knows of openings. */
export function isPublicTopic(topic: string, goals: boolean): boolean {
  return publicTopics.includes(topic) || topic === 'opens' || (goals && isGoalSlug(topic))
}

/** True if a member can follow a topic. */
export function isMemberTopic(topic: string, goals: boolean): boolean {
  return topic === 'gifts' || isPublicTopic(topic, goals)
}

/** The name of a goal in a sentence, made from its slug: this module does not know the title. */
function nameOfGoal(slug: string): Text {
  const letters = slug.slice('goal-'.length)
  return msg`the goal ${letters}`
}

/** The name of a topic within a sentence, and the topic's page. Null for a text that is not a topic. */
export function findTopic(topic: string | null | undefined): { name: Text; path: string } | null {
  const pool = findPool(topic)
  if (pool) return { name: key(pool.category), path: `/voting/${pool.slug}` }
  if (isGoalSlug(topic)) return { name: nameOfGoal(topic), path: `/giveback/${topic}` }
  return topic && Object.hasOwn(others, topic) ? others[topic as keyof typeof others] : null
}

export function topicName(topic: string, i18n: I18n): string {
  return i18n._(findTopic(topic)?.name ?? topic)
}
