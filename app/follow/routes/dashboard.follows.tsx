import { parseWithZod } from '@conform-to/zod/v4'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import * as z from 'zod/mini'
import { listFollows } from '~/follow/follows.server'
import { mailSettings } from '~/follow/mail/settings'
import { findTopic, isMemberTopic, memberTopics, topicName } from '~/follow/topics'
import { requireViewer, requireViewerWith } from '~/members/auth/viewer.server'
import { readForm } from '~/platform/forms/form.server'
import { refuse } from '~/platform/forms/refusal.server'
import { Refused } from '~/platform/forms/refused'
import { useLanguage } from '~/platform/locales/react'
import { privateMeta } from '~/platform/rendering/seo'
import { notFound } from '~/platform/server/outage.server'
import { accountPath } from '~/platform/server/redirect'
import { PageHead } from '~/platform/ui/page-head'

const page = '/dashboard/follows'

/** A topic that the member wants to follow or to leave, or the wish to leave all. */
function choice({ config, language: { i18n } }: AppLoadContext) {
  const noTopic = i18n._(msg`Choose what you want to follow or leave.`)
  const topic = z
    .string(noTopic)
    .check(z.refine((topic) => isMemberTopic(topic, config.FUNDME_OPEN), noTopic))
  return z.discriminatedUnion(
    'intent',
    [
      z.object({ intent: z.literal('leave-all'), topic: z.optional(z.string()) }),
      z.object({ intent: z.enum(['follow', 'leave']), topic }),
    ],
    noTopic,
  )
}

export const meta: MetaFunction = privateMeta(msg`Email updates`)

export async function loader({ context }: LoaderFunctionArgs) {
  const { value: follows } = await requireViewerWith(context, page, () => listFollows(context.data()))
  if (!mailSettings(context.config)) throw notFound()
  return data({ topics: follows?.map(({ topic }) => topic) ?? null }, follows ? 200 : 503)
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  await requireViewer(context, page, { form })
  const { i18n } = context.language
  const submission = parseWithZod(form, { schema: choice(context) })
  if (submission.status !== 'success') return refuse(context, submission)
  const { intent, topic } = submission.value
  const access = context.data()
  const done =
    intent === 'follow'
      ? await access.call('follow_as_member', z.boolean(), { topic, language: context.language.locale.code })
      : await access.call('leave_as_member', z.boolean(), intent === 'leave-all' ? {} : { topic })
  if (done === null) {
    const message = i18n._(msg`We can't do this right now. Please try again in a moment.`)
    return refuse(context, submission, { message, status: 503 })
  }
  if (!done && intent === 'follow')
    return refuse(context, submission, { message: i18n._(msg`Your account has no confirmed email address.`) })
  throw redirect(page, 303)
}

export default function Follows() {
  const { t } = useLingui()
  const { topics } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const others = memberTopics.filter((topic) => !topics?.includes(topic))
  return (
    <div className="column py-section">
      <PageHead back={{ to: accountPath, label: t`Account` }} title={t`Email updates`} />
      <Refused form={refused}>{refused?.notice.text}</Refused>
      {topics === null ? (
        <p className="mt-6">
          <Trans>We can't load what you follow right now. Please try again in a moment.</Trans>
        </p>
      ) : (
        <>
          <TopicList title={t`You follow`} topics={topics} intent="leave" none={t`You follow nothing yet.`} />
          {topics.length > 1 && <TopicForm intent="leave-all" topic="" label={t`Stop all emails`} />}
          {others.length > 0 && <TopicList title={t`You can also follow`} topics={others} intent="follow" />}
        </>
      )}
    </div>
  )
}

function TopicList({
  title,
  topics,
  intent,
  none,
}: {
  title: string
  topics: string[]
  intent: 'follow' | 'leave'
  none?: string
}) {
  const { t } = useLingui()
  const { i18n, href } = useLanguage()
  return (
    <section className="mt-8" aria-label={title}>
      <h2 className="text-heading">{title}</h2>
      {topics.length === 0 && <p className="mt-4 text-muted">{none}</p>}
      <ul className="mt-4 grid max-w-xl gap-3">
        {topics.map((topic) => (
          <li key={topic} className="grid grid-cols-[1fr_auto] items-center gap-3 [&_button]:w-full">
            <span>
              {topic === 'gifts' ? (
                t`When a pool that I gave to spends`
              ) : (
                <a
                  href={href(findTopic(topic)?.path ?? page)}
                  className="link inline-block py-1 first-letter:uppercase"
                >
                  {topicName(topic, i18n)}
                </a>
              )}
            </span>
            <TopicForm intent={intent} topic={topic} label={intent === 'leave' ? t`Stop` : t`Follow`} />
          </li>
        ))}
      </ul>
      {topics.includes('gifts') && (
        <p className="mt-3 max-w-xl text-sm text-muted">
          <Trans>
            We compare the payments of each pool with the wallets that you added on your dashboard.
          </Trans>
        </p>
      )}
    </section>
  )
}

function TopicForm({ intent, topic, label }: { intent: string; topic: string; label: string }) {
  const { i18n } = useLanguage()
  return (
    <form method="post" action={page} className={topic ? '' : 'mt-4'}>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="topic" value={topic} />
      <button type="submit" className="button">
        {label}
        {topic && <span className="sr-only"> {topicName(topic, i18n)}</span>}
      </button>
    </form>
  )
}
