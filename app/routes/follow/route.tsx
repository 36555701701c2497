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
import * as z from 'zod'
import { parseAddress } from '~/auth/email.server'
import { withMinimumTime } from '~/auth/minimum-time.server'
import { notFound } from '~/auth/outage.server'
import { requireViewer } from '~/auth/viewer.server'
import { Follow, frequencyOf } from '~/follow/follow'
import { askToFollow } from '~/follow/request.server'
import { findTopic, isMemberTopic, isPublicTopic, publicTopics, topicName } from '~/follow/topics'
import { readForm } from '~/forms/form.server'
import { validationError } from '~/forms/refusal.server'
import { findPool } from '~/impact-pools'
import type { Text } from '~/locales/i18n'
import { Gap, PageLink, useLanguage } from '~/locales/react'
import { mailSettings } from '~/mail/settings'
import { languageOf, privateMeta } from '~/rendering/seo'
import { Choice } from '~/ui/choice'
import { useOpen } from '~/ui/donate-button'

/** The length of the longest email address that the database accepts. */
const maxAddress = 254

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

/**
 * The response is the same and takes the same time whether or not the email address already follows the
 * topic.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  requireMail(context)
  const form = await readForm(request)
  const topic = String(form.get('topic') ?? '')
  const email = String(form.get('email') ?? '').trim()
  const { FUNDME_OPEN } = context.config
  if (!isMemberTopic(topic, FUNDME_OPEN))
    return refused(context, 400, msg`Choose what you want to follow.`, '', email)
  const isMember = !email && (await context.viewer()).kind !== 'visitor'
  if (isMember) return followAsMember(context, topic)
  if (!isPublicTopic(topic, FUNDME_OPEN))
    return refused(context, 400, msg`Only members can follow this.`, '', email)
  const submission = parseAddress(form, context.language.i18n)
  if (submission.status !== 'success' || email.length > maxAddress) {
    const text =
      submission.status === 'success'
        ? msg`Invalid email address`
        : validationError(submission, context.language.i18n, ['email']).data.notice.text
    return refused(context, 400, text, topic, email)
  }
  const { email: address } = submission.value
  if (await context.limit('mail', address))
    return refused(context, 429, msg`Too many requests. Please try again in a few minutes.`, topic, email)
  const answer = await withMinimumTime(context, () => askToFollow(context, request, { address, topic }))
  if (answer === null)
    return refused(
      context,
      503,
      msg`We can't do this right now, and stored nothing. Please try again in a moment.`,
      topic,
      email,
    )
  if (answer !== 'asked')
    return refused(
      context,
      429,
      answer === 'network'
        ? msg`Your network asked for many emails just now. Please try again in an hour.`
        : msg`Many people asked for emails just now. Please try again in an hour.`,
      topic,
      email,
    )
  // Imported on demand, because the module contains the texts of all emails.
  const { sendPromptly } = await import('~/mail/mail-job.server')
  sendPromptly(context)
  throw redirect(`/follow?topic=${topic}&step=mail`, 303)
}

async function followAsMember(context: AppLoadContext, topic: string) {
  await requireViewer(context, `/follow?topic=${topic}`)
  const followed = await context
    .data()
    .call('follow_as_member', z.boolean(), { topic, language: context.language.locale.code })
  if (followed) throw redirect(`/follow?topic=${topic}&step=done`, 303)
  return followed === null
    ? refused(context, 503, msg`We can't do this right now. Please try again in a moment.`, topic, '')
    : refused(
        context,
        400,
        msg`Your account has no confirmed email address. Enter the address here.`,
        topic,
        '',
      )
}

function refused({ language }: AppLoadContext, status: number, error: Text, topic: string, email: string) {
  return data({ error: language.i18n._(error), topic, email: email.slice(0, maxAddress) }, status)
}

export default function FollowPage() {
  const { topic, path, step } = useLoaderData<typeof loader>()
  const refusal = useActionData<typeof action>()
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const isOpen = useOpen() || topic !== 'month'
  const shown = refusal ? refusal.topic : topic
  const nameOf = (topic: string | null) => i18n._(findTopic(topic)?.name ?? '') || null
  const name = nameOf(topic)
  const shownName = refusal ? nameOf(refusal.topic) : name
  const title =
    step === 'mail' && !refusal ? t`Check your inbox` : shownName ? t`Follow ${shownName}` : t`Follow`
  return (
    <article className="column py-section">
      <h1 className="text-title">{title}</h1>
      {step && !refusal && name ? (
        <Accepted step={step} name={name} />
      ) : (
        <>
          {refusal && (
            <p role="alert" className="mt-4 font-semibold text-bad">
              {refusal.error}
            </p>
          )}
          {shown && !isOpen && (
            <p className="mt-4 max-w-[65ch]">
              <Trans>
                Donations are not open yet. Your first email comes in the month after the first payment.
              </Trans>
            </p>
          )}
          {shown ? (
            <Follow topic={shown} email={refusal?.email} error={refusal?.error} />
          ) : (
            <>
              <p className="mt-2 max-w-[65ch] text-xl text-muted">
                <Trans>Choose what we write to you about. We send an email only when there is news.</Trans>
                <Gap />
                <Trans>Each email has a link to leave.</Trans>
              </p>
              <ul className="mt-6 grid gap-x-6 md:grid-cols-2">
                {publicTopics.map((other) => (
                  <Choice
                    key={other}
                    to={`/follow?topic=${other}`}
                    picture={findPool(other)?.icon ?? (other === 'month' ? 'treasury' : 'donated')}
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
  return <Trans>Follow {name}</Trans>
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
