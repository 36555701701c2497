import type { EmailDriver } from '@supabase/lite'
import type { Database } from './database.ts'

const condition = String.raw`if eq \(printf "%v" \.Data\.lang\) "([\w-]+)" \}\}`
const choice = new RegExp(String.raw`\{\{ ${condition}([\s\S]*?)\{\{ end \}\}`, 'g')
const branch = new RegExp(String.raw`\{\{ else ${condition}|\{\{ else \}\}`)

/**
 * The text of a template in one language. The hosted service supports all of Go's template language; this
 * backend supports only the form that scripts/mail-templates.ts writes.
 */
export function chooseWords(template: string, lang: string): string {
  return template.replace(choice, (_, first: string, body: string) => {
    // The list alternates: a text, the next text's language (undefined before the last), and so on.
    const [text = '', ...others] = body.split(branch)
    if (first === lang) return text
    for (let at = 0; at < others.length; at += 2)
      if (others[at] === undefined || others[at] === lang) return others[at + 1] ?? ''
    return ''
  })
}

/** Sends each email in the language of the recipient's `data.lang`. */
export function inLanguage(driver: EmailDriver, db: Database): EmailDriver {
  return {
    ...driver,
    async send({ to, subject, html = '', ...mail }) {
      const { rows } = await db.query<{ lang: string | null }>(
        `select raw_user_meta_data ->> 'lang' as lang from auth.users
         where $1 in (email, email_change) order by email = $1 desc limit 1`,
        [to.toLowerCase()],
      )
      const lang = rows[0]?.lang ?? ''
      await driver.send({ ...mail, to, subject: chooseWords(subject, lang), html: chooseWords(html, lang) })
    },
  }
}
