import { parseWithZod } from '@conform-to/zod/v4'
import { msg } from '@lingui/core/macro'
import type { GoTrueClient } from '@supabase/auth-js'
import * as z from 'zod/mini'
import { unreadableForm } from '../../platform/forms/refusal.server'
import type { I18n } from '../../platform/locales/i18n'
import { minPasswordLength } from '../../platform/site'
import { username } from '../profile/username.server'

/** An email address. Its domain becomes ASCII, which the auth service and mail services need. */
export function email(i18n: I18n) {
  const sentence = i18n._(msg`Invalid email address`)
  return z.pipe(z.pipe(z.string(sentence), z.transform(plainAddress)), z.email(sentence))
}

/**
 * The address in a text that a keyboard, a copied link or an address book gave: without invisible
 * characters, spaces around it and without `mailto:`, with an ASCII domain (bücher.example is xn--bcher-kva.example).
 */
function plainAddress(typed: string): string {
  const [address = ''] = typed
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/^mailto:/i, '')
    .split('?')
  const [name = '', domain = '', ...more] = address.split('@')
  if (more.length > 0 || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return address
  return URL.canParse(`https://${domain}`) ? `${name}@${new URL(`https://${domain}`).hostname}` : address
}

function password(i18n: I18n) {
  const tooShort = i18n._(msg`Password must be at least ${minPasswordLength} characters`)
  return z.string(tooShort).check(z.minLength(minPasswordLength, tooShort))
}

/** The limit of the auth service, which refuses longer passwords because bcrypt ignores further bytes. */
const maxPasswordBytes = 72
/**
 * A new password, in NFKC: keyboards write an accented letter as one character or as two, and the auth service
 * compares bytes. `passwordForms` are the forms for a sign-in.
 */
export function newPassword(i18n: I18n) {
  const tooShort = i18n._(msg`Password must be at least ${minPasswordLength} characters`)
  const normal = z.pipe(
    z.string(tooShort),
    z.transform((typed) => typed.normalize('NFKC')),
  )
  return z
    .pipe(normal, password(i18n))
    .check(
      z.refine(
        (typed) => new TextEncoder().encode(typed).length <= maxPasswordBytes,
        i18n._(msg`Password must be at most ${maxPasswordBytes} characters, or fewer with accents or emoji`),
      ),
    )
}

/**
 * The forms in which an entered password may have been stored: NFKC (`newPassword`); as entered, and in the forms
 * of other keyboards, for passwords that are older than this rule. One form for ASCII.
 */
function passwordForms(typed: string): string[] {
  return [...new Set([typed.normalize('NFKC'), typed, typed.normalize('NFC'), typed.normalize('NFD')])]
}

/**
 * Signs in with the first form of the password that the service accepts. A wrong password takes the same
 * calls for every email address.
 */
export async function signInWithPassword(
  auth: GoTrueClient,
  { email, password }: Record<'email' | 'password', string>,
) {
  const [first = password, ...others] = passwordForms(password)
  let result = await auth.signInWithPassword({ email, password: first })
  for (const form of others)
    if (result.error?.code === 'invalid_credentials')
      result = await auth.signInWithPassword({ email, password: form })
  return result
}

/** The form of /auth (spec §5). Its field `intent` distinguishes sign-in and sign-up. */
function credentials(i18n: I18n) {
  const address = email(i18n)
  return z.discriminatedUnion(
    'intent',
    [
      z.object({ intent: z.literal('sign-in'), email: address, password: password(i18n) }),
      z.object({
        intent: z.literal('sign-up'),
        email: address,
        password: newPassword(i18n),
        username: username(i18n),
      }),
    ],
    i18n._(unreadableForm),
  )
}

export type Credentials = z.infer<ReturnType<typeof credentials>>

export function parseCredentials(form: FormData, i18n: I18n) {
  return parseWithZod(form, { schema: credentials(i18n) })
}
