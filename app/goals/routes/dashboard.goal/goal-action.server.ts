import { parseWithZod } from '@conform-to/zod/v4'
import { msg } from '@lingui/core/macro'
import { redirect } from '@remix-run/cloudflare'
import * as z from 'zod/mini'
import { endGoal, postGoalUpdate, takeBackGoal } from '~/goals/goal-calls.server'
import { announceGoal } from '~/goals/goal-notices.server'
import { memberText, parseLinks } from '~/goals/member-text.server'
import { toPictureLink } from '~/ledger/update-picture'
import { uploadPicture } from '~/members/pictures/upload.server'
import { profileNotices } from '~/members/profile/profile-notices.server'
import { checkedText } from '~/platform/forms/text'
import { publishChanges } from '~/platform/live/publish.server'
import type { Language } from '~/platform/locales/language'
import type { CommandRefused } from '~/platform/server/data.server'
import { notFound, outagePage } from '~/platform/server/outage.server'
import { refuseGoal, type Sent } from './draft-action.server'

/** Makes a submitted goal a draft again. */
export async function takeBack({ context, id, form }: Sent) {
  const refusal = await takeBackGoal(context.data(), id)
  // 'stage': an operator decided first. The goal's page shows the decision.
  if (refusal && refusal.code !== 'stage') throw thrownFor(refusal, form)
  if (!refusal) announceGoal(context.cookies, 'goal-taken-back')
  return redirect(`/dashboard/goals/${id}`, 303)
}

/** Ends an open goal early: with a public reason, or a frozen one without. */
export async function endEarly(sent: Sent) {
  const { context, id, form } = sent
  const { i18n } = context.language
  const rule = { label: i18n._(msg`The reason`), shortest: 10, longest: 500, hasLines: true }
  const reason = form.has('reason') ? memberText(rule, context.language) : z.undefined()
  const submission = parseWithZod(form, { schema: z.object({ reason }) })
  if (submission.status !== 'success') return refuseGoal(sent, submission, {}, { form: 'end' })
  const refusal = await endGoal(context.data(), id, submission.value.reason ?? null)
  if (refusal?.code === 'frozen' || refusal?.code === 'invalid_field') {
    const sentence =
      refusal.code === 'frozen'
        ? msg`Operators froze this goal. Now it can only end without a reason.`
        : unusableText
    const why = { message: i18n._(sentence), field: 'reason', status: 409 }
    return refuseGoal(sent, submission, why, { form: 'end' })
  }
  if (refusal && refusal.code !== 'stage') throw thrownFor(refusal, form)
  if (!refusal) {
    announceGoal(context.cookies, 'goal-ended')
    context.execution.waitUntil(publishChanges(context))
  }
  return redirect(`/dashboard/goals/${id}`, 303)
}

/** The form of an update. The description of a picture counts only with a picture. */
function update(language: Language, hasPicture: boolean) {
  const { i18n } = language
  const description = { label: i18n._(msg`The description of the picture`), shortest: 1, longest: 300 }
  return z.object({
    text: memberText(
      { label: i18n._(msg`The update`), shortest: 1, longest: 5000, hasLines: true },
      language,
    ),
    links: checkedText((typed) => parseLinks(typed, i18n)),
    picture_text: hasPicture ? memberText(description, language) : z.optional(z.string()),
    report: z.optional(z.string()),
  })
}

/** Publishes an update or the final report, with its picture. */
export async function publishUpdate(sent: Sent) {
  const { context, viewer, id, form, file } = sent
  const { i18n } = context.language
  const isChosen = file !== null && file.size > 0
  const submission = parseWithZod(form, { schema: update(context.language, isChosen) })
  if (submission.status !== 'success') return refuseGoal(sent, submission, {}, { form: 'update' })
  const refused = (field: string, message: string, status = 400) =>
    refuseGoal(sent, submission, { message, field, status }, { form: 'update' })
  const { text: words, links, picture_text: alt = '', report } = submission.value
  let picture: string | null = null
  if (isChosen) {
    const stored = await uploadPicture(context, viewer, file, { bucket: 'goals', folder: id })
    if (typeof stored === 'string') return refused('picture', `${i18n._(profileNotices[stored].text)}.`)
    const { name, width, height } = stored
    picture = toPictureLink(context.config.SITE_URL, { path: `/pictures/goals/${name}`, width, height, alt })
  }
  const isReport = report === 'yes'
  const done = await postGoalUpdate(context.data(), id, { words, links, picture, is_report: isReport })
  if ('code' in done) {
    const message = messageOf(done)
    if (!message) throw thrownFor(done, form)
    return refused('text', i18n._(message), 409)
  }
  const published = isReport ? 'goal-reported' : 'goal-updated'
  announceGoal(context.cookies, done.waits ? 'goal-update-waits' : published)
  context.execution.waitUntil(publishChanges(context))
  return redirect(`/dashboard/goals/${id}`, 303)
}

const unusableText = msg`We couldn't use this text. Change it and try again.`

/** The error message for a refused update. */
function messageOf({ code, detail }: CommandRefused) {
  if (code === 'frozen') return msg`This goal is frozen, so you can't post here.`
  if (code === 'stage') return msg`This goal is in another stage now, so this can't be posted.`
  if (code === 'too_many')
    return (detail as { most?: unknown }).most === 3
      ? msg`You posted 3 updates within a day. Post this one tomorrow.`
      : msg`This goal has 60 updates, and no more are possible.`
  return code === 'invalid_field' ? unusableText : null
}

/** The response to throw for a refusal that no error message beside a field explains. */
function thrownFor({ code }: CommandRefused, form: FormData) {
  return code === 'not_found' ? notFound() : outagePage(form)
}
