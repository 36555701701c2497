import { parseWithZod } from '@conform-to/zod/v4'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import * as z from 'zod/mini'
import { explained } from '~/acts/acts.server'
import { requireOperator } from '~/acts/guard.server'
import { Hash } from '~/ledger/hash'
import { FormErrorPage } from '~/members/auth/send-again'
import { Field } from '~/platform/forms/field'
import { readForm } from '~/platform/forms/form.server'
import { fieldsOf, type RefusedForm } from '~/platform/forms/refusal'
import { refuse } from '~/platform/forms/refusal.server'
import { Refused } from '~/platform/forms/refused'
import { text } from '~/platform/forms/text'
import type { Language } from '~/platform/locales/language'
import { Gap, useLanguage } from '~/platform/locales/react'
import { privateMeta } from '~/platform/rendering/seo'
import { found, notFound } from '~/platform/server/outage.server'
import { BreakableUrl } from '~/platform/ui/breakable-url'
import { PageHead } from '~/platform/ui/page-head'
import { Part } from '~/platform/ui/section'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'
import { dismissPost, readPost, type SourcePost, shownText } from '~/statements/operator-queue.server'

export const meta: MetaFunction = privateMeta(
  msg({ message: 'Post', comment: 'The title of a page: a post of a social network' }),
)

const longestReason = 60

/** The form that dismisses a post. */
function dismissal(language: Language) {
  const words = {
    missing: msg`Say why, in a word.`,
    long: () => msg`Use at most ${longestReason} characters.`,
    characters: msg`This has a control or direction character. Type it again by hand.`,
  }
  return z.object({ reason: text({ label: '', shortest: 1, longest: longestReason, words }, language) })
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireOperator(context, new URL(request.url).pathname)
  const post = found(await readPost(context.data(), params.id))
  return { post, texts: post.captures.map(({ text, ...rest }) => ({ ...rest, ...shownText(text) })) }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const path = new URL(request.url).pathname
  const form = await readForm(request)
  await requireOperator(context, path, { form })
  const id = /^\d{1,15}$/.exec(params.id ?? '')?.[0]
  if (!id) throw notFound()
  const submission = parseWithZod(form, { schema: dismissal(context.language) })
  if (submission.status !== 'success') return refuse(context, submission)
  const fault = await dismissPost(context.data(), Number(id), submission.value.reason)
  if (!fault) throw redirect('/operator', 303)
  const message = explained(fault, form).words(context.language)
  // The form of a post that is decided already is gone.
  return fault.code === 'already_done'
    ? refuse(context, submission, { message, status: 409 })
    : refuse(context, submission, { message, field: 'reason' })
}

export default function PostPage() {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { post, texts } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const [newest, ...older] = texts
  return (
    <>
      <div className="column pt-section">
        <PageHead back={{ to: '/operator', label: t`Operator` }} title={i18n._(titles[post.state])} />
        <Refused form={refused} />
        <Facts post={post} />
        {newest && <Capture capture={newest} url={post.url} />}
        {post.state === 'open' && (
          <p className="mt-6">
            <a href={`/operator/new/statement?post=${post.id}`} className="button button-ink">
              <Trans>Prepare the statement</Trans>
            </a>
          </p>
        )}
        {post.state === 'open' && <DismissForm refused={refused} />}
      </div>
      {older.length > 0 && (
        <Part title={t`Earlier texts`}>
          {older.map((capture) => (
            <Capture key={capture.captured_at.toISOString()} capture={capture} url={post.url} />
          ))}
        </Part>
      )}
    </>
  )
}

const titles: Record<SourcePost['state'], MessageDescriptor> = {
  open: msg`A post about charity`,
  published: msg`The post of a statement`,
  dismissed: msg({ message: 'Dismissed', comment: 'A post that an operator found not to be about charity' }),
  expired: msg`Not decided within 90 days`,
  gone: msg`Removed by its author`,
}

function Facts({ post }: { post: SourcePost }) {
  const { t } = useLingui()
  const reason = post.reason && <EnglishWords>{post.reason}</EnglishWords>
  const operator = post.decided_by
  const { url, author, posted_at, time_is_capture, captured_at, edited_at, gone_at, source } = post
  return (
    <div className="mt-4 grid gap-1 wrap-anywhere">
      {author && posted_at && (
        <p>
          <Trans>
            {author}, <When date={posted_at} />
          </Trans>
          {time_is_capture && ` ${t`(when we read it: the source states no usable time)`}`}
        </p>
      )}
      {url && (
        <p>
          <a href={url} className="link" rel="noopener nofollow">
            <BreakableUrl url={url} />
          </a>
        </p>
      )}
      <p className="text-muted">
        {source ? (
          <Trans>
            Found <When date={captured_at} />, at {source}
          </Trans>
        ) : (
          <Trans>
            Found <When date={captured_at} />
          </Trans>
        )}
      </p>
      {edited_at && (
        <p className="font-semibold">
          <Trans>
            Edited at its source on <When date={edited_at} />
          </Trans>
        </p>
      )}
      {gone_at && (
        <p className="font-semibold">
          <Trans>
            No longer at its source since <When date={gone_at} />
          </Trans>
        </p>
      )}
      {post.decided_by && post.decided_at && (
        <p>
          <Trans>
            Dismissed by {operator}, <When date={post.decided_at} />: {reason}
          </Trans>
        </p>
      )}
    </div>
  )
}

interface ShownCapture {
  text: string
  isCut: boolean
  sha256: string
  captured_at: Date
}

function Capture({
  capture: { text, isCut, sha256, captured_at },
  url,
}: {
  capture: ShownCapture
  url: string | null
}) {
  return (
    <div className="mt-6 max-w-3xl">
      <blockquote className="quote">
        <p className="whitespace-pre-line wrap-anywhere" dir="auto" lang="">
          {text}
        </p>
      </blockquote>
      {isCut && (
        <p className="mt-2">
          <Trans>Cut at 5,000 characters.</Trans>
          <Gap />
          {url && (
            <a href={url} className="link" rel="noopener nofollow">
              <Trans>Read it whole</Trans>
            </a>
          )}
        </p>
      )}
      <p className="mt-2 text-sm text-muted">
        <Trans>
          Read <When date={captured_at} />. SHA-256 of the text: <Hash value={sha256} />
        </Trans>
      </p>
    </div>
  )
}

function DismissForm({ refused }: { refused: RefusedForm | undefined }) {
  const { t } = useLingui()
  return (
    <form method="post" noValidate className="mt-8 grid max-w-md gap-1.5">
      <Field
        {...fieldsOf(refused)('reason')}
        label={t`Why it is not about charity`}
        hint={t`A word is enough, such as: advertisement. Other operators can read it.`}
        dir="auto"
        required
        autoComplete="off"
      />
      <p className="mt-2">
        <button type="submit" className="button">
          <Trans>Not about charity</Trans>
        </button>
      </p>
    </form>
  )
}

export const ErrorBoundary = FormErrorPage
