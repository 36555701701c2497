import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { complain, parseComplaint } from '~/goals/complaint-form.server'
import { complaintReasons } from '~/goals/complaint-reasons'
import { readPublicGoal } from '~/goals/public-goals.server'
import { GoalTitle } from '~/ledger/goal-title'
import { FormErrorPage } from '~/members/auth/send-again'
import { requireAuthor } from '~/members/auth/send-again.server'
import { requireViewer } from '~/members/auth/viewer.server'
import { Control } from '~/platform/forms/control'
import { readForm } from '~/platform/forms/form.server'
import { fieldsOf } from '~/platform/forms/refusal'
import { refuse, tooManyRequests } from '~/platform/forms/refusal.server'
import { Refused } from '~/platform/forms/refused'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { hiddenMeta } from '~/platform/rendering/seo'
import { requireFundMe } from '~/platform/server/fundme-guard.server'
import { notFound } from '~/platform/server/outage.server'
import { withReturnTo } from '~/platform/server/redirect'

export const handle: PageHandle = { fundMe: true }

export const meta = hiddenMeta(msg`Report a problem`)

/** A complaint needs an account. A visitor without an account sees whom to write to. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  requireFundMe(context)
  const { campaign: slug = '' } = params
  const path = `/giveback/${slug}/problem`
  const goal = await readPublicGoal(context.publicData(), slug)
  if (goal === 'none') throw notFound()
  const isVisitor = (await context.viewer()).kind === 'visitor'
  const viewer = isVisitor ? null : await requireViewer(context, path)
  return {
    slug,
    title: goal?.title ?? null,
    member: viewer?.id ?? null,
    signIn: withReturnTo('/auth', path),
    sent: new URL(request.url).searchParams.has('sent'),
    email: context.config.CONTACT_EMAIL ?? null,
    page: `${context.config.SITE_URL}/giveback/${slug}`,
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  requireFundMe(context)
  const { campaign: slug = '' } = params
  const path = `/giveback/${slug}/problem`
  const form = await readForm(request)
  const { id } = await requireAuthor(context, path, form)
  const { i18n } = context.language
  const submission = parseComplaint(form, context.language)
  if (submission.status !== 'success') return refuse(context, submission)
  if (await context.limit('complaint', id)) {
    const message = i18n._(tooManyRequests)
    return refuse(context, submission, { message, status: 429 })
  }
  const refusal = await complain(context.data(), slug, submission.value)
  if (refusal === 'none') throw notFound()
  if (refusal) {
    const { sentence, status } = refusal
    return refuse(context, submission, { message: i18n._(sentence), status })
  }
  throw redirect(`${path}?sent=1`, 303)
}

export default function Problem() {
  const { slug, title, member, sent } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  return (
    <div className="column max-w-[65ch] pt-section">
      <p>
        <PageLink to={`/giveback/${slug}`} className="link inline-block py-1">
          <GoalTitle title={title} />
        </PageLink>
      </p>
      <h1 className="mt-3 text-title">
        <Trans>Report a problem</Trans>
      </h1>
      {sent && !refused ? (
        <p role="status" className="notice">
          <Trans>
            Thank you. Operators read your report. The author of the goal never learns who wrote it.
          </Trans>
          <Gap />
          <Trans>
            They don't see who you are, so you get no answer. What they decide is on the page of the goal.
          </Trans>
        </p>
      ) : (
        <>
          <p className="mt-5">
            <Trans>
              Operators read every report, and can freeze a goal at once. The author of the goal never learns
              who wrote it.
            </Trans>
          </p>
          {member ? <ProblemForm member={member} /> : <WithoutAccount />}
        </>
      )}
    </div>
  )
}

export const ErrorBoundary = FormErrorPage

/** The ways to report a goal without an account: an email that names the goal, or the page of all channels. */
function WithoutAccount() {
  const { t } = useLingui()
  const { slug, signIn, email, page } = useLoaderData<typeof loader>()
  const letter = new URLSearchParams({ subject: t`A problem with ${{ goal: slug }}`, body: `${page}\n\n` })
    .toString()
    .replaceAll('+', '%20')
  return (
    <>
      <p className="mt-3">
        <Trans>You need no account. Tell us what is wrong, and where we can see it.</Trans>
      </p>
      <p className="mt-6 flex flex-wrap gap-3">
        {email ? (
          <a href={`mailto:${email}?${letter}`} className="button button-ink">
            <Trans>Write an email</Trans>
          </a>
        ) : (
          <PageLink to="/contact" className="button button-ink">
            <Trans>Write to us</Trans>
          </PageLink>
        )}
        <PageLink to={signIn} className="button">
          <Trans>Sign in and use the form</Trans>
        </PageLink>
      </p>
      {email && (
        <p className="mt-3 text-muted">
          <Trans>
            No email program here? Our address: <bdi>{email}</bdi>. Name the goal: <bdi>{slug}</bdi>.
          </Trans>
        </p>
      )}
      <p className="mt-3 text-muted">
        <Trans>A report in the form is deleted with your account. An email is not.</Trans>
      </p>
    </>
  )
}

function ProblemForm({ member }: { member: string }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const refused = useActionData<typeof action>()
  const field = fieldsOf(refused)
  return (
    <form method="post" noValidate className="mt-6 grid gap-5">
      <input type="hidden" name="member" value={member} />
      <Refused form={refused} />
      <Control {...field('reason')} label={t({ message: 'Reason', comment: 'Why someone reports a goal' })}>
        {(attributes) => (
          <select {...attributes} required className="field">
            <option value="">{t`Choose a reason`}</option>
            {Object.entries(complaintReasons).map(([value, name]) => (
              <option key={value} value={value}>
                {i18n._(name)}
              </option>
            ))}
          </select>
        )}
      </Control>
      <Control
        {...field('text')}
        label={t`What is wrong?`}
        hint={t`10 to 1,000 characters. Tell us where we can see it.`}
      >
        {(attributes) => <textarea {...attributes} required rows={6} dir="auto" className="field" />}
      </Control>
      <p>
        <button type="submit" className="button button-ink">
          <Trans comment="A button: sends a report about a goal">Send</Trans>
        </button>
      </p>
    </form>
  )
}
