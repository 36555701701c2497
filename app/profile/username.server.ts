import * as z from 'zod'
import { minUsernameLength } from '../site'

/** The maximum length of the column `profiles.username`. */
const maxUsernameLength = 100
const tooShort = `Username must be at least ${minUsernameLength} characters`

/** A username (spec §5). Usernames are not unique. */
export const username = z
  .string(tooShort)
  .trim()
  .min(minUsernameLength, tooShort)
  .max(maxUsernameLength, `Username must be at most ${maxUsernameLength} characters`)
  .refine((value) => !value.includes('\0'), "Username has a character we can't use")
