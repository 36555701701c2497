import { parseWithZod } from '@conform-to/zod/v4'
import * as z from 'zod'
import { username } from '../profile/username.server'
import { minPasswordLength } from '../site'

export const email = z.email('Invalid email address')
const tooShort = `Password must be at least ${minPasswordLength} characters`
const password = z.string(tooShort).min(minPasswordLength, tooShort)

/** bcrypt ignores further bytes, and the auth service refuses longer passwords. */
const maxPasswordBytes = 72
/** A password that is being chosen. */
export const newPassword = password.refine(
  (typed) => new TextEncoder().encode(typed).length <= maxPasswordBytes,
  `Password must be at most ${maxPasswordBytes} characters, or fewer with accents or emoji`,
)

/** The form of /auth (spec §5), distinguished by its intent. */
const credentials = z.discriminatedUnion(
  'intent',
  [
    z.object({ intent: z.literal('sign-in'), email, password }),
    z.object({ intent: z.literal('sign-up'), email, password: newPassword, username }),
  ],
  "Something's wrong with this form. Please reload the page.",
)

export type Credentials = z.infer<typeof credentials>

export function parseCredentials(form: FormData) {
  return parseWithZod(form, { schema: credentials })
}
