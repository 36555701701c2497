import type { TransProps } from '@lingui/react'
import { TransNoContext } from '@lingui/react/server'
import { type ComponentPropsWithoutRef, createContext, useContext } from 'react'
import { createEnglish, type Language } from './language'

/** The language of the page. Without a provider (a unit test of a component) it is English. */
export const LanguageContext = createContext<Language>(createEnglish())

export function useLanguage(): Language {
  return useContext(LanguageContext)
}

/**
 * What the macro `useLingui` becomes (lingui.config.ts).
 * @public
 */
export function useLingui() {
  const { i18n } = useLanguage()
  return { i18n, _: i18n._.bind(i18n), t: i18n._.bind(i18n) }
}

/**
 * What the macro `<Trans>` becomes (lingui.config.ts). A message without a translation is marked as English.
 * @public
 */
export function Trans(props: TransProps) {
  const { i18n } = useLanguage()
  // Its type names the class of Lingui. It calls only `_`.
  const lingui = { i18n } as unknown as Parameters<typeof TransNoContext>[0]['lingui']
  const text = <TransNoContext {...props} lingui={lingui} />
  if (!i18n.lacks(props.id)) return text
  return (
    <span lang="en" dir="ltr">
      {text}
    </span>
  )
}

/** A link to a page of this site, in the language of the page. It loads a document. */
export function PageLink({
  to,
  ...attributes
}: { to: string } & Omit<ComponentPropsWithoutRef<'a'>, 'href'>) {
  const { href } = useLanguage()
  return <a href={href(to)} {...attributes} />
}
