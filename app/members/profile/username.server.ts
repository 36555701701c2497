import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { readName } from '../../platform/forms/name'
import type { I18n } from '../../platform/locales/i18n'
import { minUsernameLength } from '../../platform/site'

/** Maximum length of a username, as in the column `profiles.username`. */
const maxUsernameLength = 100

/** A username (spec §5). Usernames are not unique. */
export function username(i18n: I18n) {
  const tooShort = i18n._(msg`Username must be at least ${minUsernameLength} characters`)
  return z.pipe(
    z.pipe(
      z.string(tooShort),
      z.transform((typed, check) => {
        const read = readName(typed)
        if ('name' in read) return read.name
        check.issues.push({
          code: 'custom',
          message: i18n._(msg`Username has a character we can't use`),
          input: typed,
        })
        return z.NEVER
      }),
    ),
    z
      .string()
      .check(z.minLength(minUsernameLength, tooShort))
      .check(
        z.maxLength(maxUsernameLength, i18n._(msg`Username must be at most ${maxUsernameLength} characters`)),
      ),
  )
}
