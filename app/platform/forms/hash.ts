import { plainCharacters } from './characters.ts'

/** The text before a hash: a label of an app, or the address of an explorer's page. */
const start = /^(?:[\p{L} ]{1,40}:\s+)?(?:(?:https?:\/\/)?[\w.-]+\.[a-z]+\/(?:[\w-]+\/)*tx\/)?/iu

/**
 * The transaction hash in an entered text, in lower case with 0x: a hash with or without 0x, also wrapped or in
 * quotation marks, or the address of an explorer's page of the transaction. Null for any other text.
 */
export function readHash(typed: string): string | null {
  const text = plainCharacters(typed.slice(0, 1000)).replace(/^[<("'«“]{1,5}|[>)"'»”.,;]{1,5}$/g, '')
  const [, hash] =
    /^(?:0x)?([0-9a-f]{64})(?:[/?#]\S*)?$/i.exec(text.replace(start, '').replace(/\s/g, '')) ?? []
  return hash ? `0x${hash.toLowerCase()}` : null
}
