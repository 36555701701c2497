import type { TransProps } from '@lingui/react'
import {
  type ComponentPropsWithoutRef,
  cloneElement,
  createContext,
  createElement,
  Fragment,
  type ReactElement,
  type ReactNode,
  useContext,
} from 'react'
import { createEnglish, type Language } from './language'

/** The language of the page; English without a provider, as in a unit test of a component. */
export const LanguageContext = createContext<Language>(createEnglish())

export function useLanguage(): Language {
  return useContext(LanguageContext)
}

/**
 * Replaces the macro `useLingui` (lingui.config.ts).
 * @public
 */
export function useLingui() {
  const { i18n } = useLanguage()
  return { i18n, _: i18n._.bind(i18n), t: i18n._.bind(i18n) }
}

/**
 * Replaces the macro `<Trans>` (lingui.config.ts). Marks a message without a translation as English. In
 * right-to-left text, isolates names and code, whose parts would otherwise change places. Lingui's own component
 * would read markup in texts that people wrote, and is four times as large.
 * @public
 */
export function Trans({ id, message, values, components }: TransProps) {
  const { i18n, locale } = useLanguage()
  const isolates = locale.dir === 'rtl' && !i18n.lacks(id)
  const texts = { ...values }
  const elements: Record<string, ReactNode> = { ...components }
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value === 'number') continue
    const isText = typeof value === 'string' && !value.includes('<')
    // A value with code stays in the text, so that `isolated` finds all of '{siteUrl}/donate/{hash}'.
    const isName = isText && isolates && !code.test(value)
    if (isText && !isName) continue
    const index = Object.keys(elements).length
    elements[index] = createElement(isName ? 'bdi' : Fragment, null, value as ReactNode)
    texts[name] = `<${index}/>`
  }
  const text = withElements(i18n._(id, texts, message === undefined ? {} : { message }), elements, isolates)
  if (!i18n.lacks(id)) return text
  return (
    <span lang="en" dir="ltr">
      {text}
    </span>
  )
}

const tag = /<(\d+)(?:\/>|>(.*?)<\/\1>)/s

/**
 * The text of a message, with the elements that the message names: `<0>…</0>`, `<1/>`. `isolates`: whether
 * each hash, path or other code in the text gets an element that keeps its order.
 */
function withElements(text: string, elements: Record<string, ReactNode>, isolates: boolean): ReactElement {
  const [before = '', ...parts] = text.split(tag)
  const plain = (part: string) => (isolates ? isolated(part) : part)
  const nodes: ReactNode[] = [plain(before)]
  for (let at = 0; at < parts.length; at += 3) {
    const [index = '', content, after = ''] = parts.slice(at, at + 3)
    const element = elements[index] as ReactElement
    nodes.push(
      content === undefined
        ? element
        : cloneElement(element, undefined, withElements(content, elements, isolates)),
      plain(after),
    )
  }
  return createElement(Fragment, null, ...nodes)
}

/** Code in a sentence: link, hash, address, path, parameter, ISO date, amount with unit, range. */
const code =
  /((?:https?:\/\/|\b0x[\da-fA-F…]|(?<![\w/])\/[a-z]|\?[a-z]+=|\b\d{4}-\d\d-\d\d)(?:[\w/:.?&=%#~+…-]*[\w/…])?|(?<![:.,\d])\b\d[\d.,]* (?!UTC)[A-Z]{2,}\b|\b\w–\w\b)/

/** The text with each run of code in its own element, because right-to-left text reorders its parts. */
function isolated(text: string): ReactNode {
  const parts = text.split(code)
  if (parts.length === 1) return text
  const nodes = parts.map((part, at) => (at % 2 === 1 ? createElement('bdi', { dir: 'ltr' }, part) : part))
  return createElement(Fragment, null, ...nodes)
}

/** A sentence outside `<Trans>` that may contain code (a hash, a path), such as a field's hint. */
export function Sentence({ children }: { children: string }): ReactNode {
  return useLanguage().locale.dir === 'rtl' ? isolated(children) : children
}

/**
 * The separator between two sentences, or between a label with a colon and its text. Empty in Chinese, whose
 * full-width punctuation contains the space.
 */
export function Gap(): ReactNode {
  return useLanguage().locale.gap ?? ' '
}

/** A link to a page of this site, in the language of the current page. The link loads a document. */
export function PageLink({
  to,
  ...attributes
}: { to: string } & Omit<ComponentPropsWithoutRef<'a'>, 'href'>) {
  const { href } = useLanguage()
  return <a href={href(to)} {...attributes} />
}
