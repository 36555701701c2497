import { findPool, impactPools } from '../impact-pools.ts'

/** What a mail is about: the slug of a pool, or one of these. Members alone can follow `gifts`. */
const others = {
  'cz-call': { name: 'CZ Call', path: '/cz-call' },
  month: { name: 'the monthly account', path: '/transparency' },
  gifts: { name: 'the pools that you gave to', path: '/dashboard/follows' },
} as const

/** The topics that everyone can follow. */
export const publicTopics: readonly string[] = [...impactPools.map(({ slug }) => slug), 'cz-call', 'month']
export const memberTopics: readonly string[] = [...publicTopics, 'gifts']

/** The name of a topic within a sentence, and its page. Null for another text. */
export function findTopic(topic: string | null | undefined): { name: string; path: string } | null {
  const pool = findPool(topic)
  if (pool) return { name: pool.category, path: `/voting/${pool.slug}` }
  return topic && Object.hasOwn(others, topic) ? others[topic as keyof typeof others] : null
}

export function topicName(topic: string): string {
  return findTopic(topic)?.name ?? topic
}
