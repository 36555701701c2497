import * as z from 'zod'

/** A wallet's address as a browser sends it. */
export const walletAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

/** The fields of a form that contains a signed message. */
export const signedMessage = z.object({
  // Form encoding turns line endings into CRLF; the wallet signed the message with LF.
  message: z
    .string()
    .max(2_000)
    .transform((text) => text.replaceAll('\r\n', '\n')),
  signature: z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{130}$/)]),
})
