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
import { Follow, frequencyOf } from '~/follow/follow'
import { mailSettings } from '~/follow/mail/settings'
import { askToFollow } from '~/follow/request.server'
import { findTopic, isMemberTopic, isPublicTopic, publicTopics, topicName } from '~/follow/topics'
import { listWallets } from '~/ledger/wallets'
import { email } from '~/members/auth/credentials.server'
import { withMinimumTime } from '~/members/auth/minimum-time.server'
import { requireViewer } from '~/members/auth/viewer.server'
import { readForm } from '~/platform/forms/form.server'
import { refuse, tooManyRequests } from '~/platform/forms/refusal.server'
import { Refused } from '~/platform/forms/refused'
import { findPool } from '~/platform/impact-pools'
import type { Text } from '~/platform/locales/i18n'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import { tellMe } from '~/platform/rendering/navigation'
import { languageOf, privateMeta } from '~/platform/rendering/seo'
import { notFound } from '~/platform/server/outage.server'
import { Choice } from '~/platform/ui/choice'
import { useOpen } from '~/platform/ui/donate-button'

/** The length of the longest email address that the database accepts. */
const maxAddress = 254
const invalidAddress = msg`Invalid email address`

export const meta: MetaFunction<typeof loader> = (args) => {
  const { i18n } = languageOf(args.matches)
  const name = args.data?.topic && topicName(args.data.topic, i18n)
  return privateMeta(name ? msg`Follow ${name}` : msg`Follow`)(args)
}

function requireMail({ config }: AppLoadContext): void {
  if (!mailSettings(config)) throw notFound()
}

export function loader({ request, context }: LoaderFunctionArgs) {
  requireMail(context)
  const query = new URL(request.url).searchParams
  const topic = query.get('topic')
  if (topic === 'opens' && listWallets(context.config).length > 0) throw redirect('/donate')
  const found = topic && isMemberTopic(topic, context.config.FUNDME_OPEN) ? findTopic(topic) : null
  const step = query.get('step')
  return data(
    {
      topic: found ? topic : null,
      path: found?.path ?? null,
      step: step === 'mail' ? ('mail' as const) : step === 'done' ? ('done' as const) : null,
    },
    found || !topic ? 200 : 404,
  )
}

/** A topic, and the address of a visitor. */
function request({ config, language: { i18n } }: AppLoadContext) {
  const noTopic = i18n._(msg`Choose what you want to follow.`)
  return z.object({
    topic: z
      .string(noTopic)
      .check(
        z.refine(
          (topic) =>
            isMemberTopic(topic, config.FUNDME_OPEN) &&
            (topic !== 'opens' || listWallets(config).length === 0),
          noTopic,
        ),
      ),
    email: z.optional(email(i18n).check(z.maxLength(maxAddress, i18n._(invalidAddress)))),
  })
}

/** The same response in the same time, whether or not the address already follows the topic. */
export async function action({ request: sent, context }: ActionFunctionArgs) {
  requireMail(context)
  const { i18n } = context.language
  const submission = parseWithZod(await readForm(sent), { schema: request(context) })
  if (submission.status !== 'success') {
    const hasTopic = !submission.error?.topic
    return refuse(context, submission, {}, { hasTopic })
  }
  const { topic, email: address } = submission.value
  const refused = (message: Text, status: number, field?: string) =>
    refuse(context, submission, { message: i18n._(message), status, field }, { hasTopic: true })
  if (!address && (await context.viewer()).kind !== 'visitor') {
    await requireViewer(context, `/follow?topic=${topic}`)
    const given = { topic, language: context.language.locale.code }
    const followed = await context.data().call('follow_as_member', z.boolean(), given)
    if (followed) throw redirect(`/follow?topic=${topic}&step=done`, 303)
    return followed === null
      ? refused(msg`We can't do this right now. Please try again in a moment.`, 503)
      : refused(msg`Your account has no confirmed email address. Enter the address here.`, 400, 'email')
  }
  if (!isPublicTopic(topic, context.config.FUNDME_OPEN)) {
    const message = i18n._(msg`Only members can follow this.`)
    return refuse(context, submission, { message }, { hasTopic: false })
  }
  if (!address) return refused(invalidAddress, 400, 'email')
  if (await context.limit('mail', address)) return refused(tooManyRequests, 429)
  const answer = await withMinimumTime(context, () => askToFollow(context, sent, { address, topic }))
  if (answer === null)
    return refused(msg`We can't do this right now, and stored nothing. Please try again in a moment.`, 503)
  if (answer !== 'asked')
    return refused(
      answer === 'network'
        ? msg`Your network asked for many emails just now. Please try again in an hour.`
        : msg`Many people asked for emails just now. Please try again in an hour.`,
      429,
    )
  // Imported on demand, because the module contains the texts of all emails.
  const { sendPromptly } = await import('~/follow/mail/mail-job.server')
  sendPromptly(context)
  throw redirect(`/follow?topic=${topic}&step=mail`, 303)
}

export default function FollowPage() {
  const { topic, path, step } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const isOpen = useOpen()
  // A refused form without a topic shows the choice of topics.
  const shown = refused ? (refused.hasTopic && refused.values?.topic) || null : topic
  const nameOf = (topic: string | null) => i18n._(findTopic(topic)?.name ?? '') || null
  const name = nameOf(topic)
  const shownName = nameOf(shown)
  const title =
    step === 'mail' && !refused
      ? t`Check your inbox`
      : shown === 'opens'
        ? i18n._(tellMe)
        : shownName
          ? t`Follow ${shownName}`
          : t`Follow`
  return (
    <article className="column py-section">
      <h1 className="text-title">{title}</h1>
      {step && !refused && name ? (
        <Accepted step={step} name={name} />
      ) : (
        <>
          <Refused form={refused}>{refused?.notice.text}</Refused>
          {shown === 'month' && !isOpen && (
            <p className="mt-4 max-w-[65ch]">
              <Trans>
                Donations are not open yet. Your first email comes in the month after the first payment.
              </Trans>
            </p>
          )}
          {shown ? (
            <>
              <Follow
                topic={shown}
                button={shown === 'opens' ? i18n._(tellMe) : undefined}
                refused={refused}
              />
              <p className="mt-3 text-sm text-muted">
                <Trans>Each email has a link to leave.</Trans>
              </p>
            </>
          ) : (
            <>
              <p className="mt-2 max-w-[65ch] text-xl text-muted">
                <Trans>Choose what we write to you about. We send an email only when there is news.</Trans>
                <Gap />
                <Trans>Each email has a link to leave.</Trans>
              </p>
              <ul className="mt-6 grid gap-x-6 md:grid-cols-2">
                {(isOpen ? publicTopics : ['opens', ...publicTopics]).map((other) => (
                  <Choice
                    key={other}
                    to={`/follow?topic=${other}`}
                    picture={findPool(other)?.icon ?? (other === 'cz-call' ? 'donated' : 'treasury')}
                    name={<FollowTopic topic={other} />}
                  >
                    {i18n._(frequencyOf(other))}
                  </Choice>
                ))}
              </ul>
            </>
          )}
        </>
      )}
      {path && (
        <p className="mt-8">
          <a href={path} className="link inline-block py-1">
            <Trans>Back to {name}</Trans>
          </a>
        </p>
      )}
    </article>
  )
}

function FollowTopic({ topic }: { topic: string }) {
  const { i18n } = useLanguage()
  const name = topicName(topic, i18n)
  return topic === 'opens' ? i18n._(tellMe) : <Trans>Follow {name}</Trans>
}

function Accepted({ step, name }: { step: 'mail' | 'done'; name: string }) {
  if (step === 'done')
    return (
      <p className="mt-4 max-w-[65ch]" role="status">
        <Trans>
          You follow {name}. On{' '}
          <PageLink to="/dashboard/follows" className="link">
            your dashboard
          </PageLink>{' '}
          you see everything that you follow.
        </Trans>
      </p>
    )
  return (
    <div className="mt-4 grid max-w-[65ch] gap-3" role="status">
      <p>
        <Trans>
          We're sending you an email with a button. Press it within three days, and you follow {name}.
        </Trans>
      </p>
      <p className="text-muted">
        <Trans>
          Nothing came after five minutes? Look into the spam folder. We send this email once a day at most.
        </Trans>
      </p>
    </div>
  )
}
