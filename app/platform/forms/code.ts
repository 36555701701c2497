import { plainCharacters } from './characters.ts'

/**
 * The digits of an entered code, of an app or of a mail. Mails and apps show codes in groups, and keyboards
 * give digits of other scripts. Null if the text is not a code of `least` to `most` digits.
 */
export function readCode(typed: string, least: number, most = least): string | null {
  const digits = plainCharacters(typed.slice(0, 200)).replace(/[\s\p{Pd}\u2212.·_]/gu, '')
  return /^\d+$/.test(digits) && digits.length >= least && digits.length <= most ? digits : null
}
