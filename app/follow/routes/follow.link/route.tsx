import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import * as z from 'zod/mini'
import { findTopic, memberTopics, topicName } from '~/follow/topics'
import { readForm } from '~/platform/forms/form.server'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { privateMeta } from '~/platform/rendering/seo'
import { notFound } from '~/platform/server/outage.server'
import { NarrowSheet } from '~/platform/ui/narrow-sheet'

/** The pages that emails link to. A GET changes nothing, because mail scanners open links. */
const steps = {
  confirm: {
    title: (name: string) => msg`Follow ${name}`,
    text: (name: string) => msg`Press the button to get emails about ${name}.`,
    button: msg`Confirm`,
  },
  leave: {
    title: (name: string) => msg`Stop emails about ${name}`,
    text: (name: string) => msg`Press the button to get no more emails about ${name}.`,
    button: msg({ message: 'Stop', comment: 'A button: to get no more emails' }),
  },
  keep: {
    title: () => msg`Keep following`,
    text: () => msg`Press the button to keep getting emails.`,
    button: msg`Keep following`,
  },
} as const
type Step = keyof typeof steps
const functions = { confirm: 'confirm_follow', leave: 'leave', keep: 'keep_following' } as const

const answer = z.object({
  state: z.enum(['confirmed', 'used', 'left', 'kept', 'unknown']),
  topic: z.nullish(z.string()),
  topics: z.optional(z.array(z.string())),
  /** The token for leaving. */
  leave: z.nullish(z.string()),
})

export const meta: MetaFunction = privateMeta(msg`Emails`)

/** The topic of a link that stops all emails. */
const everything = 'all'

/**
 * The parts of a link, also of one that a mail program changed: `=3D` and line breaks of quoted-printable, `&amp;`,
 * spaces, an encoded `?` or `&`, signs after its end. `token` is null if a part of it is lost. `named`: what is left of
 * the topic.
 */
function readLink(request: Request, params: string | undefined) {
  const { search } = new URL(request.url)
  const text = decoded(`${params}${search}`)
    .replace(/\s|amp;/g, '')
    .replaceAll('=3D', '=')
  const [given = ''] = /^\w+/.exec(text) ?? []
  if (!Object.hasOwn(steps, given)) throw notFound()
  const [, token = ''] = /token=([0-9a-f=]+)/.exec(text) ?? []
  const [, named = ''] = /topic=([\w=-]+)/.exec(text) ?? []
  const whole = token.replaceAll('=', '')
  return { step: given as Step, token: whole.length === 64 ? whole : null, named: named.replaceAll('=', '') }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const isTopic = (name: string) => name === everything || findTopic(name) !== null

/** The topic that a link names, or the only one that begins with what is left of the name. Not `all` from `al`. */
function nearestTopic(name: string): string | null {
  if (isTopic(name)) return name
  const [found, ...more] = [...memberTopics, 'opens'].filter((topic) => name && topic.startsWith(name))
  return more.length > 0 ? null : (found ?? null)
}

export function loader({ request, params }: LoaderFunctionArgs) {
  const { step, token, named } = readLink(request, params.step)
  return data({ step, topic: nearestTopic(named), isWhole: token !== null }, token ? 200 : 400)
}

/**
 * This route is also the target of List-Unsubscribe-Post (RFC 8058): a mail client sends this request without
 * cookies, and without Origin or with its own, so the URL contains everything that the action needs.
 */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { step, token, named } = readLink(request, params.step)
  // A link that lost its topic, or a part of it, stops only what the person read on the page.
  const read = isTopic(named) ? named : String((await readForm(request)).get('topic') ?? '')
  const topic = isTopic(read) ? read : null
  if (!token || (step === 'leave' && !topic))
    return data({ state: 'cut' as const, topics: [] as string[], topic, leave: null }, 400)
  const left = topic === everything ? undefined : (topic ?? undefined)
  const found = await context
    .publicData()
    .call(functions[step], answer, step === 'leave' ? { token, topic: left } : { token })
  if (!found) return data({ state: 'unavailable' as const, topics: [], topic, leave: null }, 503)
  const { state, topics = [], topic: about = topic, leave = null } = found
  return data({ state, topics, topic: about ?? null, leave }, state === 'unknown' ? 410 : 200)
}

export default function FollowLink() {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { step, topic, isWhole } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  const name =
    topic && topic !== everything
      ? topicName(topic, i18n)
      : step === 'leave'
        ? t({ message: 'everything', comment: 'In "Stop emails about everything"' })
        : t({ message: 'it', comment: 'In "Follow it" and "emails about it": a topic without a known name' })
  const { title, text, button } = steps[step]
  const hasLostTopic = isWhole && step === 'leave' && !topic
  const isCut = !isWhole || result?.state === 'cut'
  const isOver = result && result.state !== 'unavailable'
  return (
    <NarrowSheet
      title={isCut || (hasLostTopic && !isOver) ? t`This link is incomplete` : i18n._(title(name))}
    >
      {isCut ? (
        <p className="mt-4">
          <Trans>Copy the full link from the email.</Trans>
        </p>
      ) : (
        <>
          {result && (
            <p className="mt-4" role={result.state === 'unavailable' ? 'alert' : 'status'}>
              <Answer step={step} result={result} />
            </p>
          )}
          {isOver && <Onward result={result} />}
          {!isOver && (
            <form method="post" className="mt-6 grid gap-4">
              {!result && (
                <p>
                  {hasLostTopic ? (
                    <Trans>
                      It doesn't say which emails to stop. Copy the full link from the email, or stop all of
                      them here.
                    </Trans>
                  ) : (
                    i18n._(text(name))
                  )}
                </p>
              )}
              {step === 'leave' && <input type="hidden" name="topic" value={topic ?? everything} />}
              <button type="submit" className="button">
                {hasLostTopic ? <Trans>Stop all emails</Trans> : i18n._(button)}
              </button>
            </form>
          )}
        </>
      )}
    </NarrowSheet>
  )
}

/** The ways on: to the page of the topic, to leave again, or to ask for a new link. */
function Onward({ result: { state, topic, leave } }: { result: Result }) {
  const { i18n } = useLanguage()
  const found = findTopic(topic)
  const name = topic && topicName(topic, i18n)
  const canLeave = leave !== null && (state === 'confirmed' || state === 'used')
  return (
    <p className="mt-6 flex flex-wrap justify-center gap-x-6">
      {found && (
        <PageLink to={found.path} className="link inline-block py-1">
          <Trans>Back to {name}</Trans>
        </PageLink>
      )}
      {canLeave && (
        <PageLink
          to={`/follow/leave?${new URLSearchParams({ token: leave, topic: topic ?? '' })}`}
          className="link inline-block py-1"
        >
          <Trans comment="A link: to get no emails after all">Stop again</Trans>
        </PageLink>
      )}
      {(state === 'left' || state === 'unknown') && (
        <PageLink
          to={found && topic !== 'gifts' ? `/follow?topic=${topic}` : '/follow'}
          className="link inline-block py-1"
        >
          {state === 'left' ? <Trans>Follow again</Trans> : <Trans>Ask for a new link</Trans>}
        </PageLink>
      )}
    </p>
  )
}

interface Result {
  state: z.infer<typeof answer>['state'] | 'cut' | 'unavailable'
  topic: string | null
  topics: string[]
  leave: string | null
}

/** What the page says after the button is pressed. */
function Answer({ step, result: { state, topic, topics } }: { step: Step; result: Result }) {
  const { i18n, formats } = useLanguage()
  const name = topic && topic !== everything && topicName(topic, i18n)
  const others = formats.words(
    topics.map((other) => topicName(other, i18n)),
    'and',
  )
  switch (state) {
    case 'confirmed':
      return <Trans>You follow {name}. Each email has a link to leave.</Trans>
    case 'used':
      return <Trans>You have already confirmed: you follow {name}.</Trans>
    case 'kept':
      return <Trans>Thank you. You keep following {others}.</Trans>
    case 'left':
      return topics.length > 0 ? (
        <Trans>Done. You still follow {others}.</Trans>
      ) : (
        <Trans>Done. You get no more emails, and we deleted your address.</Trans>
      )
    case 'unavailable':
      return <Trans>We can't do this right now. Please press the button again in a moment.</Trans>
    default:
      return step === 'confirm' ? (
        <Trans>This link is no longer valid: it was used, or it is older than three days.</Trans>
      ) : (
        <Trans>This link is no longer valid: your address follows nothing here any more.</Trans>
      )
  }
}
