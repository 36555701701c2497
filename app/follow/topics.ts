import { msg } from '@lingui/core/macro'
import { findPool, impactPools } from '../impact-pools'
import type { I18n, Text } from '../locales/i18n'
import { key } from '../locales/key'

/** What a mail is about: the slug of a pool, or one of these. Members alone can follow `gifts`. */
const others = {
  'cz-call': { name: 'CZ Call', path: '/cz-call' },
  month: {
    name: msg({
      message: 'the monthly account',
      comment: 'Inside a sentence, after "Follow" or "emails about"',
    }),
    path: '/transparency',
  },
  gifts: {
    name: msg({
      message: 'the pools that you gave to',
      comment: 'Inside a sentence, after "Follow" or "emails about"',
    }),
    path: '/dashboard/follows',
  },
} as const

/** The topics that everyone can follow. */
export const publicTopics: readonly string[] = [...impactPools.map(({ slug }) => slug), 'cz-call', 'month']
export const memberTopics: readonly string[] = [...publicTopics, 'gifts']

/** The name of a topic within a sentence, and its page. Null for another text. */
export function findTopic(topic: string | null | undefined): { name: Text; path: string } | null {
  const pool = findPool(topic)
  if (pool) return { name: key(pool.category), path: `/voting/${pool.slug}` }
  return topic && Object.hasOwn(others, topic) ? others[topic as keyof typeof others] : null
}

export function topicName(topic: string, i18n: I18n): string {
  return i18n._(findTopic(topic)?.name ?? topic)
}
