import { toasts } from '../../platform/edge/toasts'
import { translateNotice } from '../../platform/forms/notice'
import { Toast } from '../../platform/forms/toast'
import { createLanguage } from '../../platform/locales/language'
import { renderToStaticMarkup } from '../../platform/rendering/markup.server'
import { notices } from './notices.server'

const fragments = new Map<string, Uint8Array>()

/** The toast of a notice as HTML in the page's language, rendered once an isolate. Null: unknown key. */
export function toastFragment(key: string, locale: string): Uint8Array | null {
  const notice = Object.hasOwn(notices, key) ? notices[key] : undefined
  if (!notice) return null
  const id = `${locale} ${key}`
  let fragment = fragments.get(id)
  if (!fragment) {
    const toast = <Toast notice={translateNotice(notice, createLanguage(locale).i18n)} />
    fragment = new TextEncoder().encode(renderToStaticMarkup(toast))
    fragments.set(id, fragment)
  }
  return fragment
}

toasts.fragment = toastFragment

/** Makes a response again after this module, and so `toasts.fragment`, was loaded. */
export function respondWithToast(respond: () => Response | null): Response {
  const response = respond()
  if (!response) throw new Error('the toast was not rendered')
  return response
}
