import type { I18n, Text } from '../locales/i18n'

/** A toast: a title and a text. A `destructive` toast is shown as an error. */
export interface Notice {
  title: string
  text: string
  /** The language of the text, if it differs from the language of the page. */
  lang?: 'en'
  destructive?: boolean
}

/** A notice before it is translated. */
export interface NoticeMessage {
  title: Text
  text: Text
  destructive?: boolean
}

export function translateNotice({ title, text, ...rest }: NoticeMessage, i18n: I18n): Notice {
  return { title: i18n._(title), text: i18n._(text), ...rest }
}
