/** A process that runs the built site in workerd, and its schedule without a pause (payer-kills.test.ts). */
import { startSite } from '../support/site.ts'

const { PAYING_SITE: backend = '', PAYING_VARIABLES: variables = '' } = process.env
const site = await startSite(JSON.parse(backend), JSON.parse(variables))
process.send?.('ready')
for (;;) await site.runSchedule()
