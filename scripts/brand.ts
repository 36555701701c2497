/** `npm run brand`: writes the brand (app/platform/site.ts) where it cannot be imported, and to emails. */
import { readFileSync, writeFileSync } from 'node:fs'
import { brand, wordOf } from '../app/platform/site.ts'
import { mailTemplates } from './mail-templates.ts'
import { enterProject } from './project.ts'

/** Every file that has the brand, by path. */
export function brandedFiles(name = brand): Map<string, string> {
  const files = mailTemplates(name)
  const write = (path: string, before: RegExp, text: string) => {
    const former = files.get(path) ?? readFileSync(path, 'utf8')
    if (!before.test(former)) throw new Error(`${path} has no place for the brand`)
    files.set(
      path,
      former.replace(before, (_, begin: string, end: string) => begin + text + end),
    )
  }
  write('public/site.webmanifest', /("name": ")[^"]*(")/, name)
  write('public/site.webmanifest', /("short_name": ")[^"]*(")/, name)
  write('public/transparency.schema.json', /("title": "The )[^"]*( ledger")/, name)
  write('wrangler.toml', /^(name = ")[^"]*(")/, wordOf(name))
  write('supabase/config.toml', /^(project_id = ")[^"]*(")/m, wordOf(name))
  write(
    '.dev.vars.example',
    /^(# Optional\. Followers by email \([^)\n]{1,60}\): the sender, for example )[^<\n]{1,60}( <mail@)/m,
    name,
  )
  write('supabase/migrations/20260101000050_texts.sql', /(name_skeleton\(')[^']*('\) \|\|)/, name)
  return files
}

if (import.meta.main) {
  enterProject()
  for (const [path, text] of brandedFiles()) writeFileSync(path, text)
}
