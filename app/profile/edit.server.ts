import { parseWithZod } from '@conform-to/zod/v4'
import * as z from 'zod'
import { username } from '../auth/credentials.server'
import { walletFault } from '../wallet-address'

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

/** What the profile's form sends. An empty wallet address clears it. */
export function parseProfileEdit(form: FormData) {
  return parseWithZod(form, { schema: profileEdit })
}
