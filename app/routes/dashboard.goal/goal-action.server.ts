import { msg } from '@lingui/core/macro'
import { data, redirect } from '@remix-run/cloudflare'
import { notFound, outagePage } from '~/auth/outage.server'
import type { FieldFault } from '~/fundme/draft.server'
import { endGoal, postGoalUpdate, takeBackGoal } from '~/fundme/goal-calls.server'
import { parseLinks, textFault, tidyText } from '~/fundme/member-text.server'
import { announceGoal } from '~/fundme/notices.server'
import { toPictureLink } from '~/ledger/update-picture'
import { publishChanges } from '~/live/publish.server'
import { uploadPicture } from '~/pictures/upload.server'
import { profileNotices } from '~/profile/notices.server'
import type { Refused } from '~/server/data.server'
import type { Sent } from './draft-action.server'

/** A refused form of a submitted goal, with the entered texts. */
export interface TypedText {
  form: 'end' | 'update'
  /** The entered texts by field. */
  typed: Record<string, string>
  error: FieldFault
}

const textOf = (form: FormData, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, tidyText(form.get(name))]))

const refuse = (text: TypedText, status = 400) => data({ kind: 'text' as const, text }, status)

/** Makes a submitted goal a draft again. */
export async function takeBack({ context, id, form }: Sent) {
  const refusal = await takeBackGoal(context.data(), id)
  // 'stage': an operator decided first. The goal's page shows the decision.
  if (refusal && refusal.code !== 'stage') throw thrownFor(refusal, form)
  if (!refusal) announceGoal(context.cookies, 'goal-taken-back')
  return redirect(`/dashboard/goals/${id}`, 303)
}

/** Ends an open goal early: with a public reason, or a frozen one without. */
export async function endEarly({ context, id, form }: Sent) {
  const { i18n } = context.language
  const typed = textOf(form, ['reason'])
  const rule = { label: i18n._(msg`The reason`), shortest: 10, longest: 500, hasLines: true }
  const refused = (message: string, status = 400) =>
    refuse({ form: 'end', typed, error: { field: 'reason', message } }, status)
  const isWithout = !form.has('reason')
  const message = isWithout ? null : textFault(typed.reason ?? '', rule, i18n)
  if (message) return refused(message)
  const refusal = await endGoal(context.data(), id, isWithout ? null : (typed.reason ?? ''))
  if (refusal?.code === 'frozen' || refusal?.code === 'invalid_field')
    return refused(
      i18n._(
        refusal.code === 'frozen'
          ? msg`Operators froze this goal. Now it can only end without a reason.`
          : msg`We couldn't use this text. Change it and try again.`,
      ),
      409,
    )
  if (refusal && refusal.code !== 'stage') throw thrownFor(refusal, form)
  if (!refusal) {
    announceGoal(context.cookies, 'goal-ended')
    context.execution.waitUntil(publishChanges(context))
  }
  return redirect(`/dashboard/goals/${id}`, 303)
}

/** Publishes an update or the final report, with its picture. */
export async function publishUpdate({ context, viewer, id, form, file }: Sent) {
  const { i18n } = context.language
  const typed = textOf(form, ['text', 'links', 'picture_text', 'report'])
  const { text = '', links: typedLinks = '', picture_text: described = '' } = typed
  const isChosen = file !== null && file.size > 0
  const refused = (field: string, message: string, status = 400) =>
    refuse({ form: 'update', typed, error: { field, message } }, status)
  const links = parseLinks(typedLinks, i18n)
  const longText = { label: i18n._(msg`The update`), shortest: 1, longest: 5000, hasLines: true }
  const textMessage = textFault(text, longText, i18n)
  if (textMessage) return refused('text', textMessage)
  if ('fault' in links) return refused('links', links.fault)
  let picture: string | null = null
  if (isChosen) {
    const label = i18n._(msg`The description of the picture`)
    const message = textFault(described, { label, shortest: 1, longest: 300 }, i18n)
    if (message) return refused('picture_text', message)
    const stored = await uploadPicture(context, viewer, file, { bucket: 'goals', folder: id })
    if (typeof stored === 'string') return refused('picture', `${i18n._(profileNotices[stored].text)}.`)
    const { name, width, height } = stored
    const shown = { path: `/pictures/goals/${name}`, width, height, alt: described }
    picture = toPictureLink(context.config.SITE_URL, shown)
  }
  const isReport = typed.report === 'yes'
  const update = { words: text, links: links.links, picture, is_report: isReport }
  const refusal = await postGoalUpdate(context.data(), id, update)
  if (refusal) {
    const message = messageOf(refusal)
    if (!message) throw thrownFor(refusal, form)
    return refused('text', i18n._(message), 409)
  }
  announceGoal(context.cookies, isReport ? 'goal-reported' : 'goal-updated')
  context.execution.waitUntil(publishChanges(context))
  return redirect(`/dashboard/goals/${id}`, 303)
}

/** The error message for a refused update. */
function messageOf({ code, detail }: Refused) {
  if (code === 'frozen') return msg`This goal is frozen, so you can't post here.`
  if (code === 'stage') return msg`This goal is in another stage now, so this can't be posted.`
  if (code === 'too_many')
    return (detail as { most?: unknown }).most === 3
      ? msg`You posted 3 updates within a day. Post this one tomorrow.`
      : msg`This goal has 60 updates, and no more are possible.`
  return code === 'invalid_field' ? msg`We couldn't use this text. Change it and try again.` : null
}

/** The response to throw for a refusal that no error message beside a field explains. */
function thrownFor({ code }: Refused, form: FormData) {
  return code === 'not_found' ? notFound() : outagePage(form)
}
