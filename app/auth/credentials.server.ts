import { parseWithZod } from '@conform-to/zod/v4'
import { msg } from '@lingui/core/macro'
import * as z from 'zod'
import { unreadableForm } from '../forms/refusal.server'
import type { I18n } from '../locales/i18n'
import { username } from '../profile/username.server'
import { minPasswordLength } from '../site'

export const email = (i18n: I18n) => z.email(i18n._(msg`Invalid email address`))

function password(i18n: I18n) {
  const tooShort = i18n._(msg`Password must be at least ${minPasswordLength} characters`)
  return z.string(tooShort).min(minPasswordLength, tooShort)
}

/** The limit of the auth service, which refuses longer passwords because bcrypt ignores further bytes. */
const maxPasswordBytes = 72
/** A new password. */
export function newPassword(i18n: I18n) {
  return password(i18n).refine(
    (typed) => new TextEncoder().encode(typed).length <= maxPasswordBytes,
    i18n._(msg`Password must be at most ${maxPasswordBytes} characters, or fewer with accents or emoji`),
  )
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
