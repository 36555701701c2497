/**
 * Writes the responses of a site while FundMe is closed to a file, or compares them with such a file. Run it
 * with `write` on the commit before a change, and with `compare` on the commit after the change:
 *
 * node tests/switch.ts write answers.json
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { startSiteWithBackend } from './support/site.ts'
import { type Answer, closedAnswers } from './support/switch.ts'

const [command = '', file = ''] = process.argv.slice(2)
if (!['write', 'compare'].includes(command) || !file) {
  console.error('Use: node tests/switch.ts write|compare FILE')
  process.exit(2)
}
const languages = ['tr', 'es', 'zh', 'ar']
const site = await startSiteWithBackend({ variables: { PREVIEW_LOCALES: languages.join(' ') } })
const answers = await closedAnswers(site.url, ['', ...languages])
await site.close()
if (command === 'write') writeFileSync(file, `${JSON.stringify(answers, null, 2)}\n`)
else {
  const before: Record<string, Answer> = JSON.parse(readFileSync(file, 'utf8'))
  const names = [...new Set([...Object.keys(before), ...Object.keys(answers)])]
  const differing = names.filter((name) => !isDeepStrictEqual(before[name], answers[name]))
  for (const name of differing) console.log(`Differs: ${name}`)
  console.log(`${names.length - differing.length} of ${names.length} answers agree.`)
  process.exitCode = differing.length > 0 ? 1 : 0
}
