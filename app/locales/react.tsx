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

/**
 * The language of the page. Without a provider, as in a unit test of a component, the language is English.
 */
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
 * Replaces the macro `<Trans>` (lingui.config.ts). Marks a message without a translation as English. Lingui's
 * own component would read markup in texts that people wrote, and is four times as large.
 * @public
 */
export function Trans({ id, message, values, components }: TransProps) {
  const { i18n } = useLanguage()
  const texts = { ...values }
  const elements: Record<string, ReactNode> = { ...components }
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value === 'number' || (typeof value === 'string' && !value.includes('<'))) continue
    const index = Object.keys(elements).length
    elements[index] = <Fragment>{value as ReactNode}</Fragment>
    texts[name] = `<${index}/>`
  }
  const text = withElements(i18n._(id, texts, message === undefined ? {} : { message }), elements)
  if (!i18n.lacks(id)) return text
  return (
    <span lang="en" dir="ltr">
      {text}
    </span>
  )
}

const tag = /<(\d+)(?:\/>|>(.*?)<\/\1>)/s

/** The text of a message, with the elements that it names: `<0>…</0>`, `<1/>`. */
function withElements(text: string, elements: Record<string, ReactNode>): ReactElement {
  const [before, ...parts] = text.split(tag)
  const nodes: ReactNode[] = [before]
  for (let at = 0; at < parts.length; at += 3) {
    const [index = '', content, after] = parts.slice(at, at + 3)
    const element = elements[index] as ReactElement
    nodes.push(
      content === undefined ? element : cloneElement(element, undefined, withElements(content, elements)),
      after,
    )
  }
  return createElement(Fragment, null, ...nodes)
}

/** A link to a page of this site, in the language of the current page. The link loads a document. */
export function PageLink({
  to,
  ...attributes
}: { to: string } & Omit<ComponentPropsWithoutRef<'a'>, 'href'>) {
  const { href } = useLanguage()
  return <a href={href(to)} {...attributes} />
}
