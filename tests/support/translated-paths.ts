import { toRegExp } from '../../app/platform/edge/cache-address.ts'
import { declaredPages } from '../../scripts/vite/pages.ts'

const translated = declaredPages()
  .filter((page) => page.translated)
  .map(({ pattern }) => toRegExp(pattern))

/** The same as app/platform/locales/translated-pages.ts, for programs that run without a build. */
export const isTranslatedPath = (pathname: string) => translated.some((path) => path.test(pathname))
