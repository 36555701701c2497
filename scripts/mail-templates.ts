/**
 * Writes the emails of the auth service in all languages: supabase/templates, and the subjects in
 * supabase/config.toml. `npm run messages` runs this file. An email includes a language only if all sentences
 * of the email are translated.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { formatter } from '@lingui/format-po'
import { type AuthMail, authMails, codeSentence } from '../app/follow/mail/auth-mails.ts'
import { allLocales, type Locale } from '../app/platform/locales/locales.ts'
import { brand } from '../app/platform/site.ts'
import { enterProject } from './project.ts'

type Translations = Record<string, { translation?: string }>

const catalogPath = (code: string) => `app/platform/locales/${code}/messages.po`

function readCatalogs(): [Locale, Translations][] {
  return [...allLocales.values()].flatMap((locale) => {
    const po = readIfThere(catalogPath(locale.code))
    const parsed =
      po && formatter().parse(po, { locale: locale.code, sourceLocale: 'en', filename: locale.code })
    return parsed ? [[locale, parsed as Translations]] : []
  })
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

const sentencesOf = ({ subject, text, button, hasCode, more, small }: AuthMail) =>
  [subject, text, button, small, ...(hasCode ? [codeSentence] : []), ...(more ? [more] : [])] as const

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A Go template that chooses the text of the reader's language. `make` makes the text of one language. */
function choose(
  locales: [Locale, Translations][],
  make: (locale: Locale | null, known: Translations) => string,
) {
  const english = make(null, {})
  const [first, ...others] = locales.map(
    ([locale, known]) => `if eq (printf "%v" .Data.lang) "${locale.code}" }}${make(locale, known)}`,
  )
  if (first === undefined) return english
  return `{{ ${[first, ...others].join('{{ else ')}{{ else }}${english}{{ end }}`
}

function templateOf(
  mail: AuthMail,
  catalogs: [Locale, Translations][],
  brand: string,
): { html: string; subject: string } {
  const complete = catalogs.filter(([, known]) => sentencesOf(mail).every((one) => known[one]?.translation))
  const plain = (sentence: string) =>
    choose(complete, (_, known) => known[sentence]?.translation || sentence).replaceAll('{brand}', brand)
  const say = (sentence: string) =>
    choose(complete, (_, known) => escapeHtml(known[sentence]?.translation || sentence))
      .replaceAll('{brand}', escapeHtml(brand))
      .replaceAll('{email}', '{{ .Email }}')
      .replaceAll('{new_email}', '{{ .NewEmail }}')
  const rightToLeft = complete.some(([{ dir }]) => dir === 'rtl')
  const lang = choose(complete, (locale) => locale?.tag ?? 'en')
  const direction = choose(complete, (locale) => locale?.dir ?? 'ltr')
  // Web mail keeps neither <html> nor <body>, some of it no attribute or no style.
  const [dir, style] = rightToLeft
    ? [` dir="${direction}"`, `direction: ${direction}; text-align: start; `]
    : ['', '']
  const { subject, text, link, button, hasCode, more, small } = mail
  const html = `<!doctype html>
<html lang="${lang}"${dir}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <title>${say(subject)}</title>
  </head>
  <body style="margin: 0; padding: 32px 16px; background: #faf8f3; color: #1d1b16; font: 16px/1.6 system-ui, sans-serif">
    <table role="presentation"${dir} width="100%" style="${style}max-width: 480px; margin: 0 auto">
      <tr>
        <td>
          <h1 style="margin: 0 0 16px; font-size: 22px">${say(subject)}</h1>
          <p>${say(text)}</p>
          <p>
            <a href="{{ .SiteURL }}/auth/confirm?token_hash={{ .TokenHash }}&amp;${link.replaceAll('&', '&amp;')}" style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #f0b90b; color: #1d1b16; font-weight: 600; text-decoration: none">${say(button)}</a>
          </p>
${
  hasCode
    ? `          <p>${say(codeSentence)}</p>
          <p style="font: 600 24px/1.4 ui-monospace, monospace; letter-spacing: 4px">{{ .Token }}</p>
`
    : ''
}${more ? `          <p>${say(more)}</p>\n` : ''}          <p style="color: #6b6455; font-size: 14px">${say(small)}</p>
          <p style="color: #6b6455; font-size: 14px">${escapeHtml(brand)}, {{ .SiteURL }}</p>
        </td>
      </tr>
    </table>
  </body>
</html>
`
  return { html, subject: plain(subject) }
}

/** Every file that this script writes, by path. */
export function mailTemplates(name = brand): Map<string, string> {
  const catalogs = readCatalogs()
  const files = new Map<string, string>()
  let config = readFileSync('supabase/config.toml', 'utf8')
  for (const mail of authMails) {
    const { html, subject } = templateOf(mail, catalogs, name)
    files.set(`supabase/templates/${mail.name}.html`, html)
    const section = new RegExp(`(\\[auth\\.email\\.template\\.${mail.name}\\]\\nsubject = ).*`)
    config = config.replace(section, (_, begin: string) => begin + JSON.stringify(subject))
  }
  files.set('supabase/config.toml', config)
  return files
}

if (import.meta.main) {
  enterProject()
  for (const [path, text] of mailTemplates()) writeFileSync(path, text)
}
