/** A process that starts the built site in workerd, and when it is told to, runs its schedule without a pause (payer-kills.test.ts). */
import { once } from 'node:events'
import { startSite } from '../support/site.ts'

const { PAYING_SITE: backend = '', PAYING_VARIABLES: variables = '' } = process.env
const site = await startSite(JSON.parse(backend), JSON.parse(variables))
const isTold = once(process, 'message')
process.send?.('ready')
await isTold
for (;;) await site.runSchedule()
