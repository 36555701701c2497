import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { catalogCodes } from './app/platform/locales/locales.ts'

/** `npm run messages` extracts the messages, scripts/vite/ compiles them. The rest: docs/languages.md. */
export default defineConfig({
  sourceLocale: 'en',
  locales: catalogCodes,
  catalogs: [{ path: 'app/platform/locales/{locale}/messages', include: ['app'], exclude: ['**/*.test.*'] }],
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
  // The site's own modules replace @lingui/react, which needs a provider and renders anew per language.
  runtimeConfigModule: {
    Trans: ['~/platform/locales/react', 'Trans'],
    useLingui: ['~/platform/locales/react', 'useLingui'],
  },
})
