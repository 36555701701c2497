import type { MessageDescriptor } from '@lingui/core'

/**
 * A message of a module that scripts of the command line import too, where no macro may be: its ID is the English
 * sentence, which a comment marks for the catalogs. `key(/* i18n *\/ 'Link')`, or a text of a table with that comment.
 * It may have placeholders, but no plural.
 */
export function key(sentence: string, values?: Record<string, string | number>): MessageDescriptor {
  // As the build compiles the message of a macro (scripts/vite/messages.ts).
  const parts = sentence.split(/\{(\w+)\}/).map((part, at) => (at % 2 ? [part] : part))
  return { id: sentence, message: parts as unknown as string, ...(values && { values }) }
}
