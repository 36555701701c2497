import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/cloudflare'
import { isRouteErrorResponse, useActionData, useLoaderData } from '@remix-run/react'
import { outagePage } from '~/auth/outage.server'
import { FormErrorPage } from '~/auth/send-again'
import { readFormWithFile } from '~/forms/form.server'
import { ListUnavailable } from '~/ledger/unavailable'
import { toPictureLink } from '~/ledger/update-picture'
import { Gap, useLanguage } from '~/locales/react'
import { ActEffect } from '~/operator/act-effect'
import { ActFacts } from '~/operator/act-facts'
import { readAct, saveAct } from '~/operator/acts.server'
import { requireOperator } from '~/operator/guard.server'
import { type ActKind, type Field, hasNoForm, isActKind, kindOf } from '~/operator/kinds'
import { readPost, valuesOfPost } from '~/operator/listening.server'
import { readPicture, splitLinks } from '~/operator/picture.server'
import { RemainingOperators } from '~/operator/remaining-operators'
import { fieldsOf, parseAct, typedOf } from '~/operator/schemas'
import { findSubjects, readSubject, type Subject, searchLabel } from '~/operator/subjects.server'
import { privateMeta } from '~/rendering/seo'
import type { Data } from '~/server/data.server'
import { PageHead } from '~/ui/page-head'
import { Part } from '~/ui/section'
import { EnglishWords } from '~/ui/words'
import { ActForm, type FormState } from './act-form'
import { SubjectList } from './subject-list'

export const meta: MetaFunction = (args) => {
  const { kind = '' } = args.params
  if (isMissing(args.error)) return privateMeta(msg`Page not found`)(args)
  return privateMeta(isActKind(kind) ? kindOf(kind).title : msg`Error`)(args)
}

function isMissing(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status === 404
}

/** The kind whose form also sends a file (edge/form-body.server.ts). */
const withPicture: ActKind = 'update'

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { url, kind } = readAddress(request, params.kind)
  const { handle: me, others } = await requireOperator(context, url.pathname + url.search)
  const data = context.data()
  const drafted = url.searchParams.get('act')
  const draft = drafted ? await readAct(data, drafted) : null
  if (draft === 'none' || (draft && draft.kind !== kind)) throw notFound()
  if (drafted && !draft) throw outagePage()
  if (draft && draft.state !== 'draft') throw redirect(`/operator/acts/${draft.id}`, 303)

  const wanted = draft ? draft.subject : url.searchParams.get('subject')
  const subject = wanted ? await readSubject(data, context.language, kind, wanted) : null
  if (subject === 'none') throw notFound()
  if (wanted && !subject) throw outagePage()

  const words = url.searchParams.get('q')?.trim() ?? ''
  const found = subject || draft ? [] : await findSubjects(data, context.language, kind, words)
  const values = draft
    ? { ...draft.arguments, reason: draft.reason ?? '' }
    : {
        ...(subject?.values ?? initialValues(kind, url.searchParams)),
        ...(await postValues(data, kind, subject, url)),
      }
  return {
    ...{ kind, subject, me, others },
    isDraft: draft !== null,
    fields: fieldsFor(kind, subject),
    state: toState(draft?.id ?? crypto.randomUUID(), subject?.version ?? null, kind, values),
    hasForm: subject !== null || draft !== null || kindOf(kind).subject !== 'required',
    search: subject || draft ? null : { label: searchLabel(kind), words, found },
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { url, kind } = readAddress(request, params.kind)
  const { form, file } = await readFormWithFile(request, 'picture')
  const operator = await requireOperator(context, url.pathname + url.search, { form })
  const subject = url.searchParams.get('subject')
  const typed = typedOf(kind, (name) => form.get(name))
  const { picture, error: pictureError } =
    kind === withPicture
      ? await readPicture(context, operator, { form, file, pool: typed.values.pool ?? '' })
      : { picture: null, error: null }
  const link = picture?.alt && toPictureLink(context.config.SITE_URL, picture)
  const whole = link
    ? { ...typed.values, links: [typed.values.links?.trim(), link].filter(Boolean).join('\n') }
    : typed.values
  const parsed = parseAct(kind, { ...whole, reason: typed.reason }, context.language)
  const wrong = 'message' in parsed ? parsed : null

  const version = /^\d{1,5}$/.exec(String(form.get('version') ?? ''))?.[0]
  const saved = await saveAct(context.data(), {
    id: idOf(form),
    kind,
    subject,
    ...('message' in parsed ? { values: whole, reason: typed.reason } : parsed),
    version: version === undefined ? null : Number(version),
  })
  if ('code' in saved) {
    if (saved.code === 'unknown') throw outagePage(form)
    if (saved.code === 'not_operator' || saved.code === 'not_found') throw notFound()
  }
  const refusal =
    'code' in saved ? { field: saved.field ?? '', message: saved.words(context.language) } : null
  const error = wrong ?? pictureError ?? refusal
  if (!error && 'id' in saved) throw redirect(`/operator/acts/${saved.id}`, 303)
  const state: FormState = {
    act: 'id' in saved ? saved.id : idOf(form),
    version: version === undefined ? null : Number(version),
    values: rawValues(kind, form),
    picture,
    error,
  }
  return data({ state, isSaved: 'id' in saved }, 400)
}

/** All entered values, including values that cannot be stored. */
function rawValues(kind: ActKind, form: FormData): Record<string, string> {
  const names = [...fieldsOf(kind).map(({ name }) => name), 'picture_alt']
  return Object.fromEntries(names.map((name) => [name, String(form.get(name) ?? '')]))
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** The draft's id, which the form contains so that sending the form twice stores one draft. */
function idOf(form: FormData): string {
  return uuid.exec(String(form.get('act') ?? ''))?.[0] ?? crypto.randomUUID()
}

function readAddress(request: Request, kind = ''): { url: URL; kind: ActKind } {
  if (!isActKind(kind) || hasNoForm(kind)) throw notFound()
  return { url: new URL(request.url), kind }
}

function notFound(): Response {
  return new Response(null, { status: 404, statusText: 'Not Found' })
}

/** The values that `?post=` adds to a statement: the newest text of a post that the scheduled work found. */
async function postValues(
  data: Data,
  kind: ActKind,
  subject: Subject | null,
  url: URL,
): Promise<Record<string, string>> {
  const id = url.searchParams.get('post')
  if (kind !== 'statement' || !id) return {}
  const post = await readPost(data, id)
  if (!post) throw outagePage()
  if (post === 'none') throw notFound()
  const { text = '', captured = '', ...others } = valuesOfPost(post)
  return subject ? { text, captured } : { text, captured, ...others }
}

/** The initial values of the form for a new subject. */
function initialValues(kind: ActKind, query: URLSearchParams): Record<string, string> {
  const now = `${new Date().toISOString().slice(0, 16)}:00Z`
  if (kind === 'name') return { address: query.get('address') ?? '' }
  if (kind === 'update') return { dated: now, pool: query.get('pool') ?? '' }
  if (kind === 'statement') return { captured: now }
  return {}
}

/** Returns the kind's fields that apply to this subject, including the field for the reason. */
function fieldsFor(kind: ActKind, subject: Subject | null): Field[] {
  const { options = {}, without = [] } = subject ?? {}
  return fieldsOf(kind)
    .filter(({ name }) => !without.includes(name))
    .map((field) => ({ ...field, ...(options[field.name] && { options: options[field.name] }) }))
}

/**
 * Returns the form's state with these values. The first picture among an update's links gets its own fields.
 */
function toState(
  act: string,
  version: number | null,
  kind: ActKind,
  values: Record<string, string>,
): FormState {
  if (kind !== withPicture) return { act, version, values, picture: null, error: null }
  const { picture, others } = splitLinks(values.links ?? '')
  return {
    act,
    version,
    values: { ...values, links: others, picture_alt: picture?.alt ?? '' },
    picture,
    error: null,
  }
}

export default function NewAct() {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { kind, subject, fields, state, hasForm, search, isDraft, me, others } =
    useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const { title, correction } = kindOf(kind)
  const error = refused?.state.error
  const isElsewhere =
    error && !fields.some(({ name }) => name === error.field) && !error.field.startsWith('picture')
  return (
    <>
      <div className="column pt-section">
        <PageHead
          back={{ to: '/operator', label: t`Operator` }}
          title={i18n._((subject && correction) || title)}
        >
          <ActEffect kind={kind} />
          {kind === 'operator-end' && <RemainingOperators count={others} waits={subject?.subject !== me} />}
        </PageHead>
        {refused && (
          <p role="alert" className="notice border-s-4 border-bad bg-bad-wash">
            {isElsewhere && (
              <>
                {error.message}
                <Gap />
              </>
            )}
            {refused.isSaved ? t`Saved as a draft. Nothing is published yet.` : t`Nothing is saved yet.`}
          </p>
        )}
        {subject && (
          <ActFacts
            title={kind === 'name' ? <EnglishWords>{subject.title}</EnglishWords> : subject.title}
            href={subject.href}
            facts={subject.facts.map(([name, text]) => ({ name, text }))}
          />
        )}
        {hasForm && (
          <ActForm
            state={refused?.state ?? state}
            fields={fields}
            withPicture={kind === withPicture}
            button={isDraft || refused?.isSaved ? t`Save and check again` : t`Save and check`}
          />
        )}
      </div>
      {search?.label && (
        <Part title={hasForm ? t`Or correct a published one` : t`What is it about?`}>
          {search.found ? (
            <SubjectList
              {...{ kind, me, words: search.words, found: search.found }}
              label={i18n._(search.label)}
            />
          ) : (
            <ListUnavailable />
          )}
        </Part>
      )}
    </>
  )
}

export const ErrorBoundary = FormErrorPage
