/** Names the file whose tests run in this process, for the report of `npm run test:real`. */
import { expect } from 'vitest'

process.env.TEST_FILE = expect.getState().testPath
