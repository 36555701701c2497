import { useRouteLoaderData } from '@remix-run/react'
import { Field } from '../forms/field'
import { findTopic } from './topics'

/** What each topic sends, in one sentence. */
const frequency: Record<string, string> = {
  'cz-call': 'We write when a statement led to a payment.',
  month: 'We write once a month: what came in, what went out and what is left.',
}
const poolFrequency = 'We write when there is an update, and at most once a week about payments.'

/** Whether pages can be followed by email: the deployment has a mail service. */
export function useFollows(): boolean {
  return useRouteLoaderData<{ follows: boolean }>('root')?.follows ?? false
}

/**
 * The form that follows a topic by email: one field, one button. For a member, who is signed in, the button is enough.
 * Nothing in a deployment without a mail service.
 */
export function Follow({
  topic,
  email,
  error,
}: {
  topic: string
  email?: string | undefined
  error?: string | undefined
}) {
  const follows = useFollows()
  const found = findTopic(topic)
  if (!follows || !found) return null
  return (
    <form
      method="post"
      action="/follow"
      noValidate
      className="no-print mt-4 grid max-w-md gap-3"
      aria-label={`Follow ${found.name} by email`}
    >
      <input type="hidden" name="topic" value={topic} />
      <div className="follow-address">
        <Field
          label="Email address"
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={email}
          error={error}
          required
        />
      </div>
      <p className="follow-member text-muted">You're signed in: we write to the address of your account.</p>
      <p>
        <button type="submit" className="button">
          Follow<span className="sr-only"> {found.name}</span>
        </button>
      </p>
      <p className="text-sm text-muted">
        {frequency[topic] ?? poolFrequency} Each email has a link to leave.{' '}
        <a href="/privacy#follow" className="link">
          What we store
        </a>
      </p>
    </form>
  )
}

/** The form as a section of a page. */
export function FollowSection({ topic, className = 'column pt-12' }: { topic: string; className?: string }) {
  const follows = useFollows()
  const found = findTopic(topic)
  if (!follows || !found) return null
  return (
    <section id="follow" className={`no-print ${className}`} aria-labelledby="follow-heading">
      <h2 id="follow-heading" className="text-heading">
        Follow {found.name}
      </h2>
      <Follow topic={topic} />
    </section>
  )
}
