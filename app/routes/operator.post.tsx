import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { outagePage } from '~/auth/outage.server'
import { FormErrorPage } from '~/auth/send-again'
import { fieldAttributes } from '~/forms/field'
import { readForm } from '~/forms/form.server'
import { Hash } from '~/ledger/hash'
import { Gap, useLanguage } from '~/locales/react'
import { requireOperator } from '~/operator/guard.server'
import { dismissPost, readPost, type SourcePost, shownText } from '~/operator/listening.server'
import { isPrintable } from '~/printable'
import { privateMeta } from '~/rendering/seo'
import { BreakableUrl } from '~/ui/breakable-url'
import { PageHead } from '~/ui/page-head'
import { Part } from '~/ui/section'
import { When } from '~/ui/when'
import { EnglishWords } from '~/ui/words'

export const meta: MetaFunction = privateMeta(
  msg({ message: 'Post', comment: 'The title of a page: a post of a social network' }),
)

const longestReason = 60

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireOperator(context, new URL(request.url).pathname)
  const post = await readPost(context.data(), params.id)
  if (!post) throw outagePage()
  if (post === 'none') throw notFound()
  return { post, texts: post.captures.map(({ text, ...rest }) => ({ ...rest, ...shownText(text) })) }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const path = new URL(request.url).pathname
  const { i18n } = context.language
  const form = await readForm(request)
  await requireOperator(context, path, { form })
  const id = /^\d{1,15}$/.exec(params.id ?? '')?.[0]
  if (!id) throw notFound()
  const reason = String(form.get('reason') ?? '').trim()
  const typedFault = !reason
    ? i18n._(msg`Say why, in a word.`)
    : [...reason].length > longestReason
      ? i18n._(msg`Use at most ${longestReason} characters.`)
      : isPrintable(reason, false)
        ? null
        : i18n._(msg`This has a control or direction character. Type it again by hand.`)
  const fault = typedFault ? null : await dismissPost(context.data(), Number(id), reason)
  if (!typedFault && !fault) throw redirect('/operator', 303)
  if (fault?.code === 'unknown') throw outagePage(form)
  if (fault?.code === 'not_operator' || fault?.code === 'not_found') throw notFound()
  const isDecided = fault?.code === 'already_done'
  return data(
    { reason, message: typedFault ?? (fault ? fault.words(context.language) : ''), isDecided },
    isDecided ? 409 : 400,
  )
}

function notFound(): Response {
  return new Response(null, { status: 404, statusText: 'Not Found' })
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
        {refused?.isDecided && (
          <p role="alert" className="notice border-s-4 border-bad bg-bad-wash">
            {refused.message}
          </p>
        )}
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

function DismissForm({
  refused,
}: {
  refused: { reason: string; message: string; isDecided: boolean } | undefined
}) {
  const { t } = useLingui()
  const error = refused && !refused.isDecided ? refused.message : undefined
  const hint = t`A word is enough, such as: advertisement. Other operators can read it.`
  return (
    <form method="post" noValidate className="mt-8 grid max-w-md gap-1.5">
      <label htmlFor="reason" className="font-semibold">
        <Trans>Why it is not about charity</Trans>
      </label>
      <input
        {...fieldAttributes('reason', { hint, error })}
        type="text"
        dir="auto"
        className="field"
        required
        autoComplete="off"
        defaultValue={refused?.reason}
      />
      <p id="reason-hint" className="text-sm text-muted">
        {hint}
      </p>
      {error && (
        <p id="reason-error" className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
      <p className="mt-2">
        <button type="submit" className="button">
          <Trans>Not about charity</Trans>
        </button>
      </p>
    </form>
  )
}

export const ErrorBoundary = FormErrorPage
