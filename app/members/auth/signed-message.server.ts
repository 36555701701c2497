import * as z from 'zod/mini'

/** A wallet's address as a browser sends it. */
export const walletAddress = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))

/** The fields of a form that contains a signed message. */
export const signedMessage = z.object({
  // Form encoding turns line endings into CRLF; the wallet signed the message with LF.
  message: z.pipe(
    z.string().check(z.maxLength(2_000)),
    z.transform((text) => text.replaceAll('\r\n', '\n')),
  ),
  signature: z.templateLiteral(['0x', z.string().check(z.regex(/^[0-9a-fA-F]{130}$/))]),
})
