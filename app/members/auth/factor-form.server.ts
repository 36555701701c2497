import { parseWithZod } from '@conform-to/zod/v4'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { readCode } from '../../platform/forms/code'
import { readName } from '../../platform/forms/name'
import { unreadableForm } from '../../platform/forms/refusal.server'
import type { I18n } from '../../platform/locales/i18n'

function codeFields(i18n: I18n) {
  const wrongCode = i18n._(msg`Enter the 6-digit code from your app`)
  return {
    factorId: z.uuid(i18n._(msg`Choose an app`)),
    code: z.pipe(
      z.pipe(
        z.string(wrongCode),
        z.transform((typed) => readCode(typed, 6)),
      ),
      z.string(wrongCode),
    ),
    challengeId: z.optional(z.uuid()),
  }
}

function change(i18n: I18n) {
  const noName = i18n._(msg`Name must be 1 to 60 characters`)
  const { factorId, ...answer } = codeFields(i18n)
  return z.discriminatedUnion(
    'intent',
    [
      z.object({
        intent: z.literal('enrol'),
        name: z.pipe(
          z.pipe(
            z.string(noName),
            z.transform((typed) => {
              const read = readName(typed)
              return 'name' in read ? read.name : ''
            }),
          ),
          z.string().check(z.minLength(1, noName)).check(z.maxLength(60, noName)),
        ),
      }),
      z.object({ intent: z.literal('verify'), factorId, ...answer }),
      z.object({ intent: z.literal('remove'), factorId }),
    ],
    i18n._(unreadableForm),
  )
}

/** The form of the second-factor page. */
export function parseAnswer(form: FormData, i18n: I18n) {
  return parseWithZod(form, { schema: z.object(codeFields(i18n)) })
}

/** The forms of the account's factor page, distinguished by their intent. */
export function parseChange(form: FormData, i18n: I18n) {
  return parseWithZod(form, { schema: change(i18n) })
}

const enrolment = z.object({
  factorId: z.uuid(),
  name: z.string().check(z.maxLength(100)),
  secret: z.string().check(z.maxLength(200)),
  uri: z.string().check(z.startsWith('otpauth://')).check(z.maxLength(1_000)),
})

/** The enrolment in the form's fields, to show it again after a wrong code. Null for invalid fields. */
export async function readEnrolment(form: FormData) {
  const carried = enrolment.safeParse(Object.fromEntries(form)).data
  if (!carried) return null
  const { qrCodeUrl } = await import('./factor-qr.server')
  return { ...carried, qr: qrCodeUrl(carried.uri) }
}
