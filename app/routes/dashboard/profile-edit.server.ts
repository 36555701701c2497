import { parseWithZod } from '@conform-to/zod/v4'
import * as z from 'zod'
import { username } from '~/profile/username.server'
import { walletFault } from '~/wallet/address'

const profileEdit = z.object({
  intent: z.literal('update-profile'),
  username,
  walletAddress: z
    .string()
    .optional()
    .transform((typed) => typed?.trim() || null)
    .superRefine((address, check) => {
      const fault = address && walletFault(address)
      if (fault) check.addIssue(fault)
    }),
})

/** Parses the form of the profile. An empty wallet address becomes null, which removes the stored one. */
export function parseProfileEdit(form: FormData) {
  return parseWithZod(form, { schema: profileEdit })
}
