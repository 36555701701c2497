import { msg } from '@lingui/core/macro'
import { checkedText, missing, type TextRule, textFault, type Words } from '../platform/forms/text'
import type { I18n } from '../platform/locales/i18n'
import { outsideWords } from './fault-words'

/** Why a member's text is refused by the rules of private.is_goal_text; null for a valid text. */
export function memberFault(text: string, rule: TextRule, language: Words): string | null {
  const fault = textFault(text, rule, language)
  if (fault) return fault
  const outside = outsideFault(text)
  if (outside) return language.i18n._(outsideWords[outside])
  return text && seenLength(text) === 0 ? language.i18n._(missing(rule.label)) : null
}

/** The zod type of a member's text. */
export function memberText(rule: TextRule, language: Words) {
  return checkedText<string>((text) => {
    const fault = memberFault(text, rule, language)
    return fault ? { fault } : { value: text }
  })
}

/** The characters that fonts do not show: Default_Ignorable_Code_Point, and the empty Braille pattern. */
const unseen = /[\p{Default_Ignorable_Code_Point}\u2800]/gu
/** A text as a person reads it. */
const plainText = (text: string) => text.normalize('NFKC').replace(unseen, '')

/** The patterns of the database function private.text_fault, in the same order. */
const wordEnd = "(?![\\w'’-])"
const longWord = /[0-9A-Za-z]{26,}/g
const oddWord =
  '(?:[0-9A-Za-z]{0,8}(?:[a-z][A-Z0-9]|[A-Z][0-9])[0-9A-Za-z]{1,8}|[0-9A-Za-z]{1,8}(?:[a-z][A-Z0-9]|[A-Z][0-9]))'
const payments = [
  /0x(?:[ _.-]?[0-9a-f]){40}/i,
  /\b[EUk]Q[0-9A-Za-z_-]{46}/,
  new RegExp(
    `[0-9A-Za-z-]\\.(?:eth|sol|bnb|crypto|nft|wallet|bitcoin|blockchain|dao|ETH|SOL|BNB|Eth|Bnb)${wordEnd}`,
  ),
  /\b(?:bitcoin|ethereum|tron|solana|litecoin|ripple|monero|dogecoin|cardano|polkadot|stellar):[0-9a-z]/i,
  /\b(?:bc1|tb1|ltc1|bnb1|addr1|cosmos1)(?:[ ._-]?[0-9a-z]){8}/i,
  // An address in groups: twelve of one character, ten of two, or four with a capital letter or a digit within, and at most two
  // others between two of them.
  /\b(?:(?:[0-9A-Za-z][ ._-]){12}|(?:[0-9A-Za-z]{2}[ ._-]){10})/,
  new RegExp(`\\b(?:${oddWord}[ ._-](?:[0-9A-Za-z]{1,8}[ ._-]){0,2}){3}${oddWord}`),
  // A number of an account or of a telephone, and an IBAN.
  /[0-9٠-٩۰-۹]{9}/,
  /\b[A-Z]{2}[0-9]{2}[ .-]?(?:[A-Z]{4}[ .-]?)?[0-9]{4}[ .-]?[0-9]{4}/i,
]
/** The letters of Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic and Cherokee. */
const letter =
  'A-Za-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u024f\\u0370-\\u0587\\u05d0-\\u05ea\\u0620-\\u064a\\u066e-\\u06d3\\u13a0-\\u13ff'
const links = [
  /[a-z]:\/\/|\bwww\.|\bmailto:/i,
  /(?:^|[^\p{L}\p{N}_@.])@[a-z0-9_.]{3,}/iu,
  // A domain: letters on both sides of a dot, two or more after it, and no space.
  new RegExp(`[${letter}][0-9-]*\\.[${letter}]{2}`),
  /[0-9a-z-][。·][a-z]{2}/i,
  new RegExp(`[0-9${letter}-] ?[[({] ?(?:\\.|dot) ?[\\])}] ?[${letter}]{2}`, 'i'),
  new RegExp(
    `[0-9a-z-] dot (?:com|net|org|io|xyz|app|me|ru|cn|hk|tk|tw|vip|icu|gg|ly|eu|uk|de|fr|nl|tr|ir|ae|ng|biz|dev|finance|foundation|website|exchange|gov|edu)${wordEnd}`,
    'i',
  ),
  /[0-9a-z-]\.[a-z]{2,24}\/[0-9a-z]/i,
]

/** Why a text is refused: 'address' for a way to pay, 'link' for a way to leave the site; null: neither. */
export function outsideFault(text: string): 'address' | 'link' | null {
  const plain = plainText(text)
  // A word of 26 letters and digits has both only in an address or an account number.
  const isLong = (plain.match(longWord) ?? []).some((word) => /\d/.test(word) && /[A-Za-z]/.test(word))
  if (isLong || payments.some((pattern) => pattern.test(plain))) return 'address'
  return links.some((pattern) => pattern.test(plain)) ? 'link' : null
}

/** The number of characters that a person sees, without spaces and ASCII punctuation. */
export function seenLength(text: string): number {
  return [...plainText(text).replace(/[\s!-/:-@[-`{-~]/g, '')].length
}

const mostLinks = 5
const longestLink = 500

/** The links of a field, one a line, in the form that the database stores, or their fault. */
export function parseLinks(text: string, i18n: I18n): { value: string } | { fault: string } {
  const typed = text.split(/\s+/).filter(Boolean)
  if (typed.length > mostLinks) return { fault: i18n._(msg`Use at most ${mostLinks} links.`) }
  const links = typed.map((link) => (URL.canParse(link) ? new URL(link) : null))
  if (links.some((link) => link?.protocol !== 'https:' || link.username || link.password))
    return { fault: i18n._(msg`Each link must start with https:// and be on a line of its own.`) }
  if (links.some((link) => link && link.href.length > longestLink))
    return { fault: i18n._(msg`A link has more than ${longestLink} characters. Use a shorter one.`) }
  return { value: links.map((link) => link?.href).join('\n') }
}
