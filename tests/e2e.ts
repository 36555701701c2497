/** `npm run test:e2e -- --grep 'sign in'`: runs only the browser tests, with Playwright's own arguments. */

import { installBrowser } from '../scripts/browser.ts'
import { build } from '../scripts/build.ts'
import { run } from './support/process.ts'

installBrowser()
await build()
const { succeeded } = await run(['playwright', 'test', ...process.argv.slice(2)])
process.exit(succeeded ? 0 : 1)
