import { type HTMLElement, type Node, NodeType, parse } from 'node-html-parser'

/** Code that right-to-left text reorders: hashes, addresses, links, paths, parameters, ISO dates. */
const code = /0x[\da-f…]|https?:\/\/|(?<![\w/])\/[a-z][\w-]*[/.\w-]|[?&][a-z]+=|\d{4}-\d\d-\d\d/i

/** An Arabic letter. */
const arabic = /[\u0620-\u06ff]/

/** Whether the element is `code` or has one of these classes. No selector: to compile one takes most of a walk. */
const isCodeOf = ({ tagName, classList }: HTMLElement) =>
  tagName === 'CODE' || classList.contains('hash') || classList.contains('font-mono')

/** Whether an element's characters stay in order, by its markup or the rules in styles.css. */
function isIsolated({ tagName, classList, attributes: { dir } }: HTMLElement): boolean {
  if (tagName === 'HTML' || dir === 'rtl') return false
  return /^(BDI|CODE|PRE)$/.test(tagName) || dir !== undefined || classList.contains('hash')
}

/**
 * Returns the texts of a right-to-left page whose characters change places: code outside an isolated element,
 * and Arabic words inside an element for code.
 */
export function disorderIn(html: string): string[] {
  const found: string[] = []
  const visit = (node: Node, isolated: boolean, isCode: boolean): void => {
    if (node.nodeType === NodeType.TEXT_NODE) {
      const text = node.text.replace(/\s+/g, ' ').trim()
      if (isCode ? arabic.test(text) : !isolated && code.test(text)) found.push(text)
    }
    if (node.nodeType !== NodeType.ELEMENT_NODE) return
    const element = node as HTMLElement
    // An option has only text. A textarea has the text that a person entered.
    if (/^(script|style|option|textarea|title|desc)$/i.test(element.tagName ?? '')) return
    const holdsCode = isCode || (element.tagName !== null && isCodeOf(element))
    for (const child of element.childNodes)
      visit(child, isolated || (element.tagName !== null && isIsolated(element)), holdsCode)
  }
  const document = parse(html.replace(/^<!DOCTYPE html>/i, ''), {
    blockTextElements: { script: true, style: true, pre: true },
  })
  const body = document.querySelector('body')
  if (body) visit(body, false, false)
  return [...new Set(found)]
}
