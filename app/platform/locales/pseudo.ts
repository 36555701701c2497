import type { CompiledMessage } from '@lingui/message-utils/compileMessage'

const plain = 'AEIOUYaceghijklnorstuwyz'
const accented = 'ÀÉÎÖÛÝåçéĝĥîĵķļñöŕšţûŵýž'

/** The text with accents on its letters and 40% more letters. Its tags (`<0>`) remain unchanged. */
function stretch(text: string): string {
  return text.replace(/<[^<>]*>|([A-Za-z])/g, (match, letter, at) => {
    if (!letter) return match
    const index = plain.indexOf(letter)
    const changed = index === -1 ? letter : accented[index]
    // Double two of every five characters.
    return at % 5 < 2 ? changed + changed : changed
  })
}

function stretchParts(message: CompiledMessage): CompiledMessage {
  return message.map((part) => {
    if (typeof part === 'string') return stretch(part)
    const [name, type, choices] = part
    if (!type) return part
    const stretched = Object.entries(choices as Record<string, CompiledMessage>).map(([key, choice]) => [
      key,
      Array.isArray(choice) ? stretchParts(choice) : choice,
    ])
    return [name, type, Object.fromEntries(stretched)]
  })
}

/** An English message in a pseudo-locale: '[Ĥéļļö …]'. Text without brackets is in no catalog. */
export function pseudoMessage(message: CompiledMessage): CompiledMessage {
  return ['[', ...stretchParts(message), ']']
}
