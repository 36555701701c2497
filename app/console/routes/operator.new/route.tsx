import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/cloudflare'
import { isRouteErrorResponse, useActionData, useLoaderData } from '@remix-run/react'
import { ActEffect } from '~/acts/act-effect'
import { ActFacts } from '~/acts/act-facts'
import { explained, readAct, saveAct } from '~/acts/acts.server'
import { type Field, shareInput } from '~/acts/forms/fields'
import type { Subject } from '~/acts/forms/subject'
import { requireOperator } from '~/acts/guard.server'
import { draftOf, fieldsOfAct, parseAct, typedOf } from '~/acts/schemas'
import { type ActKind, isActKind, kindOf } from '~/console/act-kinds'
import { readPicture, splitLinks } from '~/console/picture.server'
import { RemainingOperators } from '~/console/remaining-operators'
import { findSubjects, readSubject, searchLabel } from '~/console/subjects.server'
import { acceptedTokens } from '~/ledger/accepted'
import { accountName, isTreasury } from '~/ledger/accounts'
import { splitNames } from '~/ledger/split'
import { ListUnavailable } from '~/ledger/unavailable'
import { captionFacts, toPictureLink } from '~/ledger/update-picture'
import { FormErrorPage } from '~/members/auth/send-again'
import { AccountName } from '~/payments/order-words'
import { BalanceWords } from '~/payments/payee-words'
import { listBalances, listPayees, typeOfOrder } from '~/payments/payees.server'
import { readFormWithFile } from '~/platform/forms/form.server'
import { fieldsOf } from '~/platform/forms/refusal'
import { refuse } from '~/platform/forms/refusal.server'
import { Refused } from '~/platform/forms/refused'
import { isGoalSlug } from '~/platform/goal-slug'
import { key } from '~/platform/locales/key'
import { Gap, useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { privateMeta } from '~/platform/rendering/seo'
import type { Data } from '~/platform/server/data.server'
import type { Config } from '~/platform/server/env.server'
import { requireVoting } from '~/platform/server/fundme-guard.server'
import { found, notFound } from '~/platform/server/outage.server'
import { PageHead } from '~/platform/ui/page-head'
import { Part } from '~/platform/ui/section'
import { EnglishWords } from '~/platform/ui/words'
import { readPost, valuesOfPost } from '~/statements/operator-queue.server'
import { ActForm } from './act-form'
import { WalletList } from './order-fields'
import { SubjectList } from './subject-list'

export const handle: PageHandle = {
  picture: { otherFields: 262_144, segments: { kind: 'update' } },
}

export const meta: MetaFunction = (args) => {
  const { kind = '' } = args.params
  if (isMissing(args.error)) return privateMeta(msg`Page not found`)(args)
  return privateMeta(isActKind(kind) ? kindOf(kind).title : msg`Error`)(args)
}

function isMissing(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status === 404
}

/** The kind whose form also sends a file. */
const withPicture: ActKind = 'update'

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { url, kind } = readAddress(request, params.kind)
  if (kind === 'split-vote') requireVoting(context)
  const { handle: me, others } = await requireOperator(context, url.pathname + url.search)
  const data = context.data()
  const drafted = url.searchParams.get('act')
  const draft = drafted ? found(await readAct(data, drafted)) : null
  if (draft && draft.kind !== kind) throw notFound()
  if (draft && draft.state !== 'draft') throw redirect(`/operator/acts/${draft.id}`, 303)

  const wanted = draft ? draft.subject : url.searchParams.get('subject')
  const subject = wanted ? found(await readSubject(data, context.language, kind, wanted)) : null

  const words = url.searchParams.get('q')?.trim() ?? ''
  const results = subject || draft ? [] : await findSubjects(data, context.language, kind, words)
  const known = withTokenChoice(fieldsFor(kind, subject), context.config)
  const values: Record<string, string> = draft
    ? { ...draft.arguments, reason: draft.reason ?? '' }
    : {
        ...(subject?.values ?? initialValues(kind, url.searchParams)),
        ...(await postValues(data, kind, subject, url)),
      }
  const isOrder = kind === 'order'
  const from = isOrder && accountName(values.from) ? values.from : null
  const fields = from ? orderFields(known, from) : known
  return {
    /** Of an order: the wallets of which one pays, and the recipients of that wallet. */
    order: isOrder
      ? {
          query: `&${new URLSearchParams({ to: values.to ?? '', statement: values.statement ?? '' })}`,
          balances: await listBalances(data, context.config),
          payees: from ? found(await listPayees(data, context.config, from)) : null,
          from,
        }
      : null,
    kind,
    subject,
    me,
    others,
    isDraft: draft !== null,
    fields,
    state: toState(draft?.id ?? crypto.randomUUID(), subject?.version ?? null, kind, values),
    hasForm: isOrder
      ? from !== null
      : subject !== null || draft !== null || kindOf(kind).subject !== 'required',
    search: subject || draft ? null : { label: searchLabel(kind), words, found: results },
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { url, kind } = readAddress(request, params.kind)
  if (kind === 'split-vote') requireVoting(context)
  const { form, file } = await readFormWithFile(request, 'picture')
  const operator = await requireOperator(context, url.pathname + url.search, { form })
  const subject = url.searchParams.get('subject')
  const { picture, error: pictureError } =
    kind === withPicture
      ? await readPicture(context, operator, { form, file, pool: String(form.get('pool') ?? '') })
      : { picture: null, error: null }
  if (kind === 'order') await completeOrder(context, form)
  for (const { name, input } of kindOf(kind).fields) if (input === 'shares') joinShares(form, name)
  const link = picture?.alt ? toPictureLink(context.config.SITE_URL, picture) : undefined
  const whole = withLink(form, link)
  const submission = parseAct(kindOf(kind), whole, context.language)
  const { id, version } = draftOf(form)
  const values = submission.status === 'success' ? submission.value : typedOf(kindOf(kind), whole)
  const saved = await saveAct(context.data(), kindOf(kind), { id, kind, subject, version, ...values })
  const fault = 'code' in saved ? explained(saved, form) : null
  const error = {
    ...(submission.status !== 'success' && submission.error),
    ...(pictureError && { [pictureError.field]: [pictureError.message] }),
  }
  const isWrong = submission.status !== 'success' || pictureError !== null
  if (!isWrong && !fault) throw redirect(`/operator/acts/${id}`, 303)
  const why = isWrong || !fault ? {} : { message: fault.words(context.language), field: fault.field }
  const payload = Object.fromEntries(form)
  return refuse(context, { payload, error }, why, { act: id, version, picture, isSaved: !fault })
}

/** Writes the inputs of the shares as the one value that an act has: '20 10 5 0 0 10'. */
function joinShares(form: FormData, name: string): void {
  const inputs = splitNames.map((part) => shareInput(name, part))
  if (!inputs.some((input) => form.has(input))) return
  form.set(name, inputs.map((input) => String(form.get(input) ?? '').trim() || '0').join(' '))
}

/** Adds the type of an order where its wallet and its recipient decide it. */
async function completeOrder({ data, config }: AppLoadContext, form: FormData): Promise<void> {
  const from = String(form.get('from'))
  const payees = found(await listPayees(data(), config, from), form)
  const payee = payees.find(({ address }) => address === String(form.get('to')).toLowerCase())
  const type = payee && typeOfOrder(from, payee.kind)
  if (type) form.set('type', type)
}

/** The fields of an order from a wallet. Only of a payment by the treasury, an operator decides the type. */
function orderFields(fields: Field[], from: string): Field[] {
  const options = fields[0]?.options?.filter(({ value }) => value === from)
  return fields
    .filter(({ name }) => isTreasury(from) || !['type', 'pool'].includes(name))
    .map((field) => (field.name === 'from' && options ? { ...field, options } : field))
}

/** The form with the link of its picture among its links. */
function withLink(form: FormData, link: string | undefined): FormData {
  if (!link) return form
  const whole = new FormData()
  for (const [name, value] of form) whole.set(name, value)
  whole.set('links', [String(form.get('links') ?? '').trim(), link].filter(Boolean).join('\n'))
  return whole
}

function readAddress(request: Request, kind = ''): { url: URL; kind: ActKind } {
  if (!isActKind(kind)) throw notFound()
  const { isAboutGoal, isCommand, hasOwnForm } = kindOf(kind)
  if (isAboutGoal || isCommand || hasOwnForm) throw notFound()
  return { url: new URL(request.url), kind }
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
  const post = found(await readPost(data, id))
  const { text = '', captured = '', ...others } = valuesOfPost(post)
  return subject ? { text, captured } : { text, captured, ...others }
}

/** The fields of an order, whose token is one of those that are worth a dollar each. */
function withTokenChoice(fields: Field[], config: Config): Field[] {
  const options = acceptedTokens(config).flatMap(({ symbol, address, priced }) =>
    address && priced === 'usd' ? [{ value: symbol, label: key(symbol) }] : [],
  )
  return fields.map((field) => (field.name === 'token' ? { ...field, input: 'choice', options } : field))
}

/** The initial values of the form for a new subject. */
function initialValues(kind: ActKind, query: URLSearchParams): Record<string, string> {
  const now = `${new Date().toISOString().slice(0, 16)}:00Z`
  if (kind === 'order')
    return {
      from: query.get('from') ?? (query.has('goal') ? 'treasury' : ''),
      to: query.get('to') ?? '',
      statement: query.get('statement') ?? '',
      amount: query.get('amount') ?? '',
      type: isGoalSlug(query.get('goal')) ? 'dream' : '',
      purpose: isGoalSlug(query.get('goal')) ? `Token holders decided to fund ${query.get('goal')}.` : '',
    }
  if (kind === 'name') return { address: query.get('address') ?? '' }
  if (kind === 'update') return { dated: now, pool: query.get('pool') ?? '' }
  if (kind === 'statement') return { captured: now }
  return {}
}

/** Returns the kind's fields that apply to this subject, including the field for the reason. */
function fieldsFor(kind: ActKind, subject: Subject | null): Field[] {
  const { options = {}, without = [] } = subject ?? {}
  return fieldsOfAct(kindOf(kind))
    .filter(({ name }) => !without.includes(name))
    .map((field) => ({ ...field, ...(options[field.name] && { options: options[field.name] }) }))
}

/** The initial form. The first picture among an update's links gets its own fields. */
function toState(act: string, version: number | null, kind: ActKind, values: Record<string, string>) {
  if (kind !== withPicture) return { act, version, values, picture: null }
  const { picture, others } = splitLinks(values.links ?? '')
  const caption = captionFacts.map((fact) => [`picture_${fact}`, picture?.[fact] ?? ''])
  const shown: Record<string, string> = {
    ...{ ...values, links: others, picture_alt: picture?.alt ?? '' },
    ...Object.fromEntries(caption),
  }
  return { act, version, values: shown, picture }
}

export default function NewAct() {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { order, kind, subject, fields, state, hasForm, search, isDraft, me, others } =
    useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const { title, correction } = kindOf(kind)
  const hasField = (wrong: string) => fields.some(({ name }) => name === wrong) || wrong.startsWith('picture')
  const isElsewhere = refused && !Object.keys(refused.errors).some(hasField)
  const field = fieldsOf(refused)
  const balance = order?.balances?.find(({ account }) => account === order.from)
  return (
    <>
      <div className="column pt-section">
        <PageHead
          back={{ to: '/operator', label: t`Operator` }}
          title={i18n._((subject && correction) || title)}
        >
          <ActEffect kind={kindOf(kind)} />
          {kind === 'operator-end' && <RemainingOperators count={others} waits={subject?.subject !== me} />}
        </PageHead>
        {refused && (
          <Refused form={refused}>
            {isElsewhere && (
              <>
                {refused.notice.text}
                <Gap />
              </>
            )}
            {refused.isSaved ? t`Saved as a draft. Nothing is published yet.` : t`Nothing is saved yet.`}
          </Refused>
        )}
        {balance && (
          <p className="mt-4 text-muted">
            <strong className="text-ink">
              <AccountName slug={balance.account} />:
            </strong>{' '}
            <BalanceWords balance={balance} />{' '}
            <a href="/operator/new/order" className="link">
              <Trans>Another wallet</Trans>
            </a>
          </p>
        )}
        {subject && (
          <ActFacts
            title={kind === 'name' ? <EnglishWords>{subject.title}</EnglishWords> : subject.title}
            href={subject.href}
            facts={subject.facts.map(([name, text]) => ({ name, text }))}
          />
        )}
        {order && !hasForm && <WalletList balances={order.balances ?? []} query={order.query} />}
        {hasForm && (
          <ActForm
            {...(refused ?? state)}
            fields={fields}
            field={(name) => field(name, state.values[name])}
            withPicture={kind === withPicture}
            payees={order?.payees ?? null}
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
