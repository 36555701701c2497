import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useRouteLoaderData } from '@remix-run/react'
import { Field } from '../platform/forms/field'
import { fieldsOf, type RefusedForm } from '../platform/forms/refusal'
import { isGoalSlug } from '../platform/goal-slug'
import type { Text } from '../platform/locales/i18n'
import { Gap, PageLink, useLanguage } from '../platform/locales/react'
import { findTopic } from './topics'

const frequency: Record<string, Text> = {
  'cz-call': msg`We write when a statement led to a payment.`,
  opens: msg`We write once, on the day on which you can give. Then we delete your address, unless you follow something else.`,
  month: msg`We write once a month: what came in, what went out and what is left.`,
}
const goalFrequency = msg`We write when its member posts an update.`
const poolFrequency = msg`We write when there is an update, and at most once a week about payments.`

/** A sentence that states when followers of a topic get an email. */
export function frequencyOf(topic: string): Text {
  return frequency[topic] ?? (isGoalSlug(topic) ? goalFrequency : poolFrequency)
}

/** True if visitors can follow pages by email, which needs a mail service in the deployment. */
export function useFollows(): boolean {
  return useRouteLoaderData<{ follows: boolean }>('root')?.follows ?? false
}

/**
 * The form for following a topic by email: one field and one button. A signed-in member needs only the
 * button. Without a mail service in the deployment, the form is not shown.
 */
export function Follow({
  topic,
  name: given,
  button,
  refused,
}: {
  topic: string
  /** The name of the topic in a sentence. The default is the name from `findTopic`. */
  name?: string
  /** The words of the button. The default is 'Follow'. */
  button?: string | undefined
  refused?: RefusedForm | undefined
}) {
  const follows = useFollows()
  const found = findTopic(topic)
  const { i18n, href } = useLanguage()
  const { t } = useLingui()
  if (!follows || !found) return null
  const name = given ?? i18n._(found.name)
  return (
    <form
      method="post"
      action={href('/follow')}
      noValidate
      className="no-print mt-4 grid max-w-md gap-3"
      aria-label={t`Follow ${name} by email`}
    >
      <input type="hidden" name="topic" value={topic} />
      <div className="follow-address">
        <Field
          {...fieldsOf(refused)('email')}
          label={t`Email address`}
          type="email"
          autoComplete="email"
          required
        />
      </div>
      <p className="follow-member text-muted">
        <Trans>You're signed in: we write to the address of your account.</Trans>
      </p>
      <p>
        <button type="submit" className="button">
          {button ?? (
            <Trans comment="A button; the name of the topic is for screen readers">
              Follow<span className="sr-only"> {name}</span>
            </Trans>
          )}
        </button>
      </p>
      <p className="text-sm text-muted">
        {i18n._(frequencyOf(topic))}
        <Gap />
        <PageLink to="/privacy#follow" className="link">
          <Trans>What we store</Trans>
        </PageLink>
      </p>
    </form>
  )
}

/** The form as a section of a page. */
export function FollowSection({
  topic,
  name: given,
  className = 'column pt-12',
}: {
  topic: string
  name?: string
  className?: string
}) {
  const follows = useFollows()
  const found = findTopic(topic)
  const { i18n } = useLanguage()
  if (!follows || !found) return null
  const name = given ?? i18n._(found.name)
  return (
    <section id="follow" className={`no-print ${className}`} aria-labelledby="follow-heading">
      <h2 id="follow-heading" className="text-heading">
        <Trans comment="The name of a topic: a pool, CZ Call, the monthly account">Follow {name}</Trans>
      </h2>
      <Follow topic={topic} name={name} />
    </section>
  )
}
