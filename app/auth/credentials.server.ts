import { parseWithZod } from '@conform-to/zod/v4'
import * as z from 'zod'
import { minPasswordLength, minUsernameLength } from '../site'

const maxUsernameLength = 100

export const email = z.email('Invalid email address')
const short = `Password must be at least ${minPasswordLength} characters`
export const password = z.string(short).min(minPasswordLength, short)

/** A username: not unique, at least 3 characters and at most what the profile's column holds. */
export const username = z
  .string(`Username must be at least ${minUsernameLength} characters`)
  .trim()
  .min(minUsernameLength, `Username must be at least ${minUsernameLength} characters`)
  .max(maxUsernameLength, `Username must be at most ${maxUsernameLength} characters`)
  .refine((value) => !value.includes('\0'), 'Username must not contain control characters')

/** What the form of /auth sends (spec §5), told apart by its intent. Issues come in the order of the fields. */
const credentials = z.discriminatedUnion(
  'intent',
  [
    z.object({ intent: z.literal('sign-in'), email, password }),
    z.object({ intent: z.literal('sign-up'), email, password, username }),
  ],
  'This form is not one of ours. Please load the page again.',
)

export type Credentials = z.infer<typeof credentials>

export function parseCredentials(form: FormData) {
  return parseWithZod(form, { schema: credentials })
}
