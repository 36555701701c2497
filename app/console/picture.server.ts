import { msg } from '@lingui/core/macro'
import type { AppLoadContext } from '@remix-run/cloudflare'
import type { Operator } from '../acts/guard.server'
import {
  captionFacts,
  isPhotograph,
  readPictureLink,
  toPictureLink,
  type UpdatePicture,
} from '../ledger/update-picture'
import { uploadPicture } from '../members/pictures/upload.server'
import { profileNotices } from '../members/profile/profile-notices.server'
import { findPool } from '../platform/impact-pools'
import type { I18n } from '../platform/locales/i18n'

/** The picture fields of an update's form, read. `alt` is '' before the operator describes the picture. */
export interface PictureAnswer {
  picture: UpdatePicture | null
  error: { field: string; message: string } | null
}

/**
 * Reads the picture of an update from the form: stores a chosen file in the folder of the pool, or keeps the
 * stored picture. The update contains only the link of a described picture.
 */
export async function readPicture(
  context: AppLoadContext,
  { viewer }: Operator,
  { form, file, pool }: { form: FormData; file: File | null; pool: string },
): Promise<PictureAnswer> {
  const { i18n } = context.language
  const alt = String(form.get('picture_alt') ?? '').trim()
  const kept = form.get('picture_remove') ? null : readStored(form, alt)
  if (wordsOf(form, 'person') !== 'yes') form.delete('consent')
  const caption = readCaption(form)
  if (!file || file.size === 0) {
    if (!kept) {
      for (const name of ['person', 'consent']) form.delete(name)
      return { picture: null, error: null }
    }
    if (!kept.path.startsWith(`/pictures/pools/${pool}/`) && kept.path.startsWith('/pictures/'))
      return refuse(kept, 'picture', i18n._(msg`The pool changed. Choose the picture again.`))
    return { picture: { ...kept, ...caption }, error: faultOfWords(form, i18n, isPhotograph(kept)) }
  }
  if (!findPool(pool))
    return refuse(kept, 'picture', i18n._(msg`Choose a pool, then choose the picture again.`))
  const picture = await uploadPicture(context, viewer, file, { bucket: 'pools', folder: pool })
  if (typeof picture === 'string') return refuse(kept, 'picture', sentenceOf(context, picture))
  const { name, width, height } = picture
  const stored = { path: `/pictures/pools/${name}`, width, height, alt, ...caption }
  return { picture: stored, error: faultOfWords(form, i18n, true) }
}

function refuse(picture: UpdatePicture | null, field: string, message: string): PictureAnswer {
  return { picture, error: { field, message } }
}

function sentenceOf({ language }: AppLoadContext, fault: keyof typeof profileNotices): string {
  return `${language.i18n._(profileNotices[fault].text)}.`
}

const wordsOf = (form: FormData, name: string) => String(form.get(name) ?? '').trim()

/** The caption of a photograph. The link of a draft has no name of a person who did not agree. */
function readCaption(form: FormData): Pick<UpdatePicture, 'who' | 'where' | 'when'> {
  const facts = captionFacts
    .filter((fact) => fact !== 'who' || wordsOf(form, 'consent'))
    .map((fact) => [fact, wordsOf(form, `picture_${fact}`) || undefined])
  return Object.fromEntries(facts)
}

/** The maximum length of the description and of a fact of the caption, in characters. */
const longest = { alt: 300, who: 80, where: 80, when: 40 }

/** What the form says without one of the words that a photograph needs. */
const missing = {
  picture_alt: msg`Say what the picture shows.`,
  picture_where: msg`Say where it was taken.`,
  picture_when: msg`Say when it was taken.`,
  person: msg`Say whether someone can be recognised.`,
}

/** The first fault of the words about a picture. A link cannot contain control or direction characters. */
function faultOfWords(form: FormData, i18n: I18n, isPhoto: boolean): PictureAnswer['error'] {
  for (const [field, message] of Object.entries(missing))
    if ((isPhoto || field === 'picture_alt') && !wordsOf(form, field))
      return { field, message: i18n._(message) }
  for (const [name, most] of Object.entries(longest)) {
    const field = `picture_${name}`
    const words = wordsOf(form, field)
    if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u.test(words))
      return {
        field,
        message: i18n._(msg`This has a control or direction character. Type it again by hand.`),
      }
    if ([...words].length > most) return { field, message: i18n._(msg`Use at most ${most} characters.`) }
  }
  const isPerson = wordsOf(form, 'person') === 'yes'
  if (isPerson && [...wordsOf(form, 'consent')].length < 10)
    return { field: 'consent', message: i18n._(msg`Say who agreed, how and when.`) }
  if (wordsOf(form, 'picture_who') && !isPerson)
    return { field: 'person', message: i18n._(msg`Name only people who agreed.`) }
  return null
}

/** The stored picture, read from the form's fields. */
function readStored(form: FormData, alt: string): UpdatePicture | null {
  const path = String(form.get('picture_path') ?? '')
  const [width, height] = [Number(form.get('picture_width')), Number(form.get('picture_height'))]
  // The pattern of a link checks the path and the size; '?' replaces a missing description.
  const link = readPictureLink(toPictureLink('https://a.example', { path, width, height, alt: alt || '?' }))
  return link && { ...link, alt }
}

/** Divides the links of an update into its first picture and the other links. */
export function splitLinks(links: string): { picture: UpdatePicture | null; others: string } {
  const lines = links.split('\n')
  const at = lines.findIndex((line) => readPictureLink(line))
  const picture = readPictureLink(lines[at] ?? '')
  return { picture, others: lines.filter((_, line) => line !== at).join('\n') }
}
