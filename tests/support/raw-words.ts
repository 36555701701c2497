import { type HTMLElement, type Node, NodeType, parse } from 'node-html-parser'

/** Attributes whose values are shown or spoken. */
const spoken = ['aria-label', 'aria-description', 'alt', 'title', 'placeholder', 'label', 'data-label']

/** Metadata whose content is shown in a search result or a shared link. */
const metas = /^(description|og:title|og:description|og:image:alt|twitter:title|twitter:description)$/

/** Names, also of the demonstration's people, months, units, formats: the same in all languages. */
const names = new RegExp(
  `\\b(?:${[
    'Goodblock|CZ Call|CZ|FundMe|BNB Smart Chain|BNB|BEP20|ERC-20|BscScan|Binance|Telegram|GitHub|Cloudflare|Supabase',
    'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|January|February|March|April|June|July|August|September',
    'October|November|December|UTC|USD|USDT|DEMOUSD|FEEUSD|GIFT|SHA-256|JSON Feed|JSON|CSV|NDJSON|Atom|RSS|API|URL|QR|PDF',
    'TxID|ID|IP|Demonstration account|Demo Member|tomas|noor|mara|ada|ben',
    // The words of English lists (Formats.words), which the pseudo-locale has too.
    'and|or',
  ].join('|')})\\b`,
  'g',
)

/** Addresses, hashes, keys, and paths and URLs of pages. */
const codes = /\S*(?:https?:|@|0x|·|\/|\+|\B\.\w|\w\.\w)\S*|\b[0-9a-f]{6,}\b|\bgoal-\w+|\b\w*\d\w*\b/g

/** A word without a change, although the pseudo-locale changes each of these letters (pseudo.ts). */
const raw = /[A-Za-z]*[AEIOUYaceghijklnorstuwyz][A-Za-z]*/g

/** Returns the words of a text that are in no catalog. */
function rawWordsOf(text: string): string[] {
  const words = text.replace(codes, ' ').replace(names, ' ').match(raw) ?? []
  return words.filter((word) => word.length > 1)
}

/**
 * Returns the texts of a page in a pseudo-locale that have words outside the catalogs. Omits code, and texts
 * that people and operators wrote, which have a `lang` attribute.
 */
export function rawTextsOf(html: string): string[] {
  const document = parse(html.replace(/^<!DOCTYPE html>/i, ''), {
    blockTextElements: { script: true, style: true, pre: true },
  })
  // The words of members and of operators. A message without a translation has `lang="en"` and `dir="ltr"`.
  const ofPeople = document
    .querySelectorAll('body [lang=""], body [lang="en"][dir="auto"]')
    .map(({ text }) => text.trim())
  const found: string[] = []
  const check = (text: string) => {
    const ours = ofPeople.filter(Boolean).reduce((rest, theirs) => rest.replaceAll(theirs, ' '), text)
    if (rawWordsOf(ours).length > 0) found.push(text.replace(/\s+/g, ' ').trim())
  }
  const visit = (node: Node): void => {
    if (node.nodeType === NodeType.TEXT_NODE) check(node.text)
    if (node.nodeType !== NodeType.ELEMENT_NODE) return
    const element = node as HTMLElement
    const tag = element.tagName?.toLowerCase()
    if (tag === 'script' || tag === 'style' || tag === 'code' || tag === 'pre' || tag === 'time') return
    // A textarea has the text that a person entered.
    if (tag === 'textarea') return
    if (tag !== 'html' && element.hasAttribute('lang')) return
    if (element.classList.contains('hash') || element.classList.contains('font-mono')) return
    if (element.getAttribute('aria-hidden') === 'true') return
    if (element.hasAttribute('data-sentences')) checkSentences(element.getAttribute('data-sentences') ?? '{}')
    for (const name of spoken) check(element.getAttribute(name) ?? '')
    if (metas.test(element.getAttribute('name') ?? element.getAttribute('property') ?? ''))
      check(element.getAttribute('content') ?? '')
    element.childNodes.forEach(visit)
  }
  const checkSentences = (json: string) => {
    const sentences: Record<string, string | Record<string, string>> = JSON.parse(json)
    for (const sentence of Object.values(sentences).flatMap((one) =>
      typeof one === 'string' ? [one] : Object.values(one),
    ))
      check(sentence.replace(/\{(\w+|#)\}/g, ''))
  }
  visit(document)
  return [...new Set(found)]
}
