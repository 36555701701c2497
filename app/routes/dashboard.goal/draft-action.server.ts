import { msg } from '@lingui/core/macro'
import { type AppLoadContext, data, redirect } from '@remix-run/cloudflare'
import type { Viewer } from '~/auth/identity.server'
import { found, outagePage } from '~/auth/outage.server'
import { proveByHandPath } from '~/auth/redirect'
import {
  differingFields,
  type FieldFault,
  parseDraft,
  storedDraft,
  type TypedDraft,
  typedDraft,
} from '~/fundme/draft.server'
import { deleteDraft, readMyGoal, saveDraft, savePicture } from '~/fundme/my-goals.server'
import { announceGoal } from '~/fundme/notices.server'
import { isDraft } from '~/fundme/stages'
import { removePictures } from '~/pictures/storage.server'
import { uploadPicture } from '~/pictures/upload.server'
import { profileNotices } from '~/profile/notices.server'
import type { Conflict } from './conflict'
import type { GoalFormState } from './goal-form'

/** A posted form of a goal, with its sender. */
export interface Sent {
  context: AppLoadContext
  viewer: Viewer
  id: string
  form: FormData
  file: File | null
}

const refuse = (state: GoalFormState, status: number) => data({ kind: 'form' as const, state }, status)

/** Saves the draft, then its picture. */
export async function saveForm(sent: Sent) {
  const { context, viewer, id, form } = sent
  const { i18n } = context.language
  const typed = typedDraft(form)
  const digits = /^\d{1,9}$/.exec(String(form.get('version')))?.[0]
  const version = digits === undefined ? null : Number(digits)
  const refused = (error: FieldFault, status: number) => refuse({ typed, version, error }, status)
  if (await context.limit('goal', viewer.id))
    return refused({ field: '', message: i18n._(msg`Too many saves at once. Please wait a minute.`) }, 429)
  const values = parseDraft(typed, i18n)
  if ('field' in values) return refused(values, 400)
  const outcome = await saveDraft(context.data(), { id, member: viewer.id, version }, values)
  if (outcome === 'failed') throw outagePage(form)
  if (outcome === 'many')
    return refused({ field: '', message: i18n._(msg`You have 3 drafts. Submit or delete one first.`) }, 409)
  if (outcome === 'stale') return readConflict(sent, typed)
  const saved = version === null ? 0 : version + 1
  const message = await keepPicture(sent, saved)
  // The texts are stored, but the picture is not.
  if (message) return refuse({ typed, version: saved, error: { field: 'picture', message } }, 400)
  return leadOn(id, form.get('next'))
}

function leadOn(id: string, next: FormDataEntryValue | null) {
  const address = `/dashboard/goals/${id}`
  if (next === 'check') return redirect(`${address}/check`, 303)
  if (next === 'by-hand') return redirect(`${proveByHandPath}?goal=${id}`, 303)
  return redirect(next === 'wallets' ? `/dashboard?goal=${id}#wallets` : `${address}#save`, 303)
}

/** Asks whether to keep the entered or the stored values. */
async function readConflict({ context, id, form }: Sent, typed: TypedDraft) {
  const goal = await readMyGoal(context.data(), id)
  if (!goal) throw outagePage(form)
  if (goal === 'none') {
    const message = context.language.i18n._(msg`This draft was deleted. Save again to store what you typed.`)
    return refuse({ typed, version: null, error: { field: '', message } }, 409)
  }
  const stored = storedDraft(goal)
  const differing = differingFields(typed, stored)
  // The browser sent the same form twice.
  if (differing.length === 0 && isDraft(goal)) return leadOn(id, form.get('next'))
  const { version, savedAt } = goal
  const conflict: Conflict = { typed, stored, differing, version, savedAt, isDraft: isDraft(goal) }
  return data({ kind: 'conflict' as const, conflict }, 409)
}

/** Stores the chosen picture, or removes the previous one. Returns an error message if this fails. */
async function keepPicture(
  { context, viewer, id, form, file }: Sent,
  version: number,
): Promise<string | null> {
  const { i18n } = context.language
  const isRemoved = form.get('picture_remove') !== null
  const isChosen = file !== null && file.size > 0
  if (!isChosen && !isRemoved) return null
  const sentenceOf = (fault: keyof typeof profileNotices) => `${i18n._(profileNotices[fault].text)}.`
  const access = context.data()
  const goal = await readMyGoal(access, id)
  if (!goal || goal === 'none') return sentenceOf('picture-not-saved')
  let name: string | null = null
  if (isChosen) {
    const stored = await uploadPicture(context, viewer, file, { bucket: 'goals', folder: id })
    if (typeof stored === 'string') return sentenceOf(stored)
    name = stored.name
  }
  if (!(await savePicture(access, { id, version }, name))) return sentenceOf('picture-not-saved')
  const { pictureName: former } = goal
  if (former && former !== name) await removePictures(context, 'goals', viewer.accessToken, [former])
  return null
}

/** Deletes a draft and its picture. */
export async function deleteGoal({ context, viewer, id, form }: Sent) {
  const access = context.data()
  const goal = found(await readMyGoal(access, id), form)
  if (!isDraft(goal)) return redirect(`/dashboard/goals/${id}`, 303)
  // Remove the picture before the draft: the storage refuses the removal after the draft is deleted.
  if (goal.pictureName) await removePictures(context, 'goals', viewer.accessToken, [goal.pictureName])
  if (!(await deleteDraft(access, id))) throw outagePage(form)
  announceGoal(context.cookies, 'goal-deleted')
  return redirect('/dashboard', 303)
}
