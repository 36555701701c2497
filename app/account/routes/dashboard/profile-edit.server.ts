import { parseWithZod } from '@conform-to/zod/v4'
import * as z from 'zod/mini'
import { username } from '~/members/profile/username.server'
import { readAddress } from '~/platform/forms/address'
import { unreadableForm } from '~/platform/forms/refusal.server'
import type { I18n } from '~/platform/locales/i18n'
import { key } from '~/platform/locales/key'
import { walletFault } from '~/wallet/address'

const profileEdit = (i18n: I18n) =>
  z.object({
    username: username(i18n),
    walletAddress: z
      .pipe(
        z.optional(z.string()),
        z.transform((typed) => (typed && readAddress(typed)) || null),
      )
      .check(
        z.superRefine((address, check) => {
          const fault = address && walletFault(address)
          if (fault) check.addIssue(i18n._(key(fault)))
        }),
      ),
    intent: z.literal('update-profile', i18n._(unreadableForm)),
  })

/** Parses the form of the profile. An empty wallet address becomes null, which removes the stored one. */
export function parseProfileEdit(form: FormData, i18n: I18n) {
  return parseWithZod(form, { schema: profileEdit(i18n) })
}
