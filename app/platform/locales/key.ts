import type { MessageDescriptor } from '@lingui/core'

/**
 * A message of a module that command-line scripts import too. Such a module cannot use macros, so the id of
 * the message is the English sentence, and a comment marks the sentence for the catalogs: `key(/* i18n *\/
 * 'Link')`. A text in a table has the same comment. The sentence may have placeholders, but no plural.
 */
export function key(sentence: string, values?: Record<string, string | number>): MessageDescriptor {
  // The same format that the build produces for the messages of macros (scripts/vite/messages.ts).
  const parts = sentence.split(/\{(\w+)\}/).map((part, at) => (at % 2 ? [part] : part))
  return { id: sentence, message: parts as unknown as string, ...(values && { values }) }
}
