import { parseWithZod } from '@conform-to/zod/v4'
import * as z from 'zod'

const wrongCode = 'Enter the 6-digit code from your app'
const noName = 'Name must be 1 to 60 characters'
/** Apps show codes in groups, so spaces are allowed. */
const code = z
  .string(wrongCode)
  .transform((typed) => typed.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, wrongCode))
const factorId = z.uuid('Choose an app')

const answer = z.object({
  factorId,
  code,
  challengeId: z.uuid().optional(),
})

const change = z.discriminatedUnion(
  'intent',
  [
    z.object({
      intent: z.literal('enrol'),
      name: z
        .string(noName)
        .trim()
        .min(1, noName)
        .max(60, noName)
        .refine((typed) => !typed.includes('\0'), noName),
    }),
    z.object({
      intent: z.literal('verify'),
      factorId,
      code,
      challengeId: z.uuid().optional(),
    }),
    z.object({ intent: z.literal('remove'), factorId }),
  ],
  "Something's wrong with this form. Please reload the page.",
)

/** The form of the second-factor page. */
export function parseAnswer(form: FormData) {
  return parseWithZod(form, { schema: answer })
}

/** The forms of the account's factor page, distinguished by their intent. */
export function parseChange(form: FormData) {
  return parseWithZod(form, { schema: change })
}

const enrolment = z.object({
  factorId,
  name: z.string().max(100),
  secret: z.string().max(200),
  uri: z.string().startsWith('otpauth://').max(1_000),
})

/** The enrolment in the fields of the form, so that the page can show it again after a wrong code. Null if invalid. */
export async function readEnrolment(form: FormData) {
  const carried = enrolment.safeParse(Object.fromEntries(form)).data
  if (!carried) return null
  const { qrCodeUrl } = await import('./qr-code.server')
  return { ...carried, qr: qrCodeUrl(carried.uri) }
}
