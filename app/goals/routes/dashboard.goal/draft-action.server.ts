import { msg } from '@lingui/core/macro'
import { type AppLoadContext, redirect } from '@remix-run/cloudflare'
import { differingFields, parseDraft, storedDraft, typedDraft } from '~/goals/draft.server'
import { announceGoal } from '~/goals/goal-notices.server'
import { deleteDraft, readMyGoal, saveDraft, savePicture } from '~/goals/my-goals.server'
import { isDraft } from '~/goals/stages'
import type { Viewer } from '~/members/auth/identity.server'
import { removePictures } from '~/members/pictures/storage.server'
import { uploadPicture } from '~/members/pictures/upload.server'
import { profileNotices } from '~/members/profile/profile-notices.server'
import type { RefusedForm } from '~/platform/forms/refusal'
import { refuse } from '~/platform/forms/refusal.server'
import type { Text } from '~/platform/locales/i18n'
import { found, outagePage } from '~/platform/server/outage.server'
import { proveByHandPath } from '~/platform/server/redirect'
import type { Conflict } from './conflict'

/** A posted form of a goal, with its sender. */
export interface Sent {
  context: AppLoadContext
  viewer: Viewer
  id: string
  form: FormData
  file: File | null
}

/** What the page needs beside the refused form. */
interface Extra {
  form: 'draft' | 'end' | 'update'
  /** The version from which the form was filled; null for a goal that is not stored yet. */
  version?: number | null
  conflict?: Conflict
}
export type RefusedGoal = RefusedForm & Extra

export const refuseGoal = (
  { context }: Sent,
  submission: Parameters<typeof refuse>[1],
  why: Parameters<typeof refuse>[2],
  extra: Extra,
) => refuse(context, submission, why, extra)

/** Saves the draft, then its picture. */
export async function saveForm(sent: Sent) {
  const { context, viewer, id, form } = sent
  const { i18n } = context.language
  const submission = parseDraft(form, context.language)
  const version = readVersion(form)
  const refused = (message: Text, status: number) =>
    refuseGoal(sent, submission, { message: i18n._(message), status }, { form: 'draft', version })
  if (await context.limit('goal', viewer.id))
    return refused(msg`Too many saves at once. Please wait a minute.`, 429)
  if (submission.status !== 'success') return refuseGoal(sent, submission, {}, { form: 'draft', version })
  const outcome = await saveDraft(context.data(), { id, member: viewer.id, version }, submission.value)
  if (outcome === 'failed') throw outagePage(form)
  if (outcome === 'many') return refused(msg`You have 3 drafts. Submit or delete one first.`, 409)
  if (outcome === 'stale') return readConflict(sent, submission)
  const saved = version === null ? 0 : version + 1
  const message = await keepPicture(sent, saved)
  // The texts are stored, but the picture is not.
  if (message)
    return refuseGoal(sent, submission, { message, field: 'picture' }, { form: 'draft', version: saved })
  return leadOn(id, form.get('next'))
}

function readVersion(form: FormData): number | null {
  const digits = /^\d{1,9}$/.exec(String(form.get('version')))?.[0]
  return digits === undefined ? null : Number(digits)
}

function leadOn(id: string, next: FormDataEntryValue | null) {
  const address = `/dashboard/goals/${id}`
  if (next === 'check') return redirect(`${address}/check`, 303)
  if (next === 'by-hand') return redirect(`${proveByHandPath}?goal=${id}`, 303)
  return redirect(next === 'wallets' ? `/dashboard?goal=${id}#wallets` : `${address}#save`, 303)
}

/** Asks whether to keep the entered or the stored values. */
async function readConflict(sent: Sent, submission: ReturnType<typeof parseDraft>) {
  const { context, id, form } = sent
  const { i18n } = context.language
  const typed = typedDraft(form)
  const goal = await readMyGoal(context.data(), id)
  if (!goal) throw outagePage(form)
  if (goal === 'none') {
    const message = i18n._(msg`This draft was deleted. Save again to store what you typed.`)
    return refuseGoal(sent, submission, { message, status: 409 }, { form: 'draft', version: null })
  }
  const stored = storedDraft(goal)
  const differing = differingFields(typed, stored)
  // The browser sent the same form twice.
  if (differing.length === 0 && isDraft(goal)) return leadOn(id, form.get('next'))
  const { version, savedAt } = goal
  const conflict: Conflict = { typed, stored, differing, version, savedAt, isDraft: isDraft(goal) }
  const why = { message: i18n._(msg`Not saved yet.`), status: 409 }
  return refuseGoal(sent, submission, why, { form: 'draft', conflict })
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
