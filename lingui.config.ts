import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'

/** Messages are extracted by `npm run messages`, and compiled by scripts/vite/. docs/languages.md describes the rest. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['zh', 'tr', 'es', 'ar'],
  catalogs: [{ path: 'app/locales/{locale}/messages', include: ['app'], exclude: ['**/*.test.*'] }],
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
  // The site's own modules in place of @lingui/react, which needs a provider and follows changes of the language.
  runtimeConfigModule: { Trans: ['~/locales/react', 'Trans'], useLingui: ['~/locales/react', 'useLingui'] },
})
