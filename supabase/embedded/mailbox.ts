import type { EmailDriver, EmailMessage } from '@supabase/lite'
import { brand } from '../../app/platform/site.ts'
import type { Handler } from './http.ts'

export interface MailboxMessage {
  to: string
  subject: string
  text: string
  html: string
  date: string
  headers: Record<string, string>
}

export interface Mailbox {
  driver: EmailDriver
  /** Shows the emails, and accepts emails as Resend's POST /emails does. */
  handler: Handler
}

/** The path at which the mailbox accepts emails, and the key that it expects. */
const mailPath = '/emails'
const mailKey = 're_embedded'

/** The variables with which the site sends its emails to the mailbox. */
export function mailboxVariables(mailUrl: string): Record<string, string> {
  return {
    MAIL_FROM: `${brand} <mail@goodblock.example>`,
    MAIL_API_KEY: mailKey,
    MAIL_API_URL: mailUrl + mailPath,
  }
}

const maxKept = 500

const pageStyle = `
  :root { color-scheme: light dark; --ink: #1d1b16; --paper: #faf8f3; --line: #ddd6c6; --soft: #6b6455; --gold: #8a6500 }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #ece7db; --paper: #1e1d1a; --line: #3b3831; --soft: #a59d8b; --gold: #f0b90b }
  }
  body { margin: 0 auto; max-width: 46rem; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink);
    font: 1rem/1.55 system-ui, sans-serif }
  h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.125rem; margin: 0 }
  p.soft, dl, summary { color: var(--soft); font-size: .875rem; margin: .25rem 0 }
  article { border-top: 1px solid var(--line); margin-top: 1.5rem; padding-top: 1.25rem }
  pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; margin: .75rem 0 }
  a { color: var(--gold) }
  iframe { width: 100%; height: 24rem; border: 1px solid var(--line); border-radius: .5rem; background: #fff; margin-top: .5rem }
`

/** Keeps the newest emails of the backend in memory. Shows them on a page, and as /messages.json for tests. */
export function openMailbox(): Mailbox {
  const messages: MailboxMessage[] = []
  const keep = (message: Omit<MailboxMessage, 'date'>) => {
    messages.unshift({ ...message, date: new Date().toISOString() })
    messages.length = Math.min(messages.length, maxKept)
  }
  const accept = acceptMails(keep)
  return {
    driver: {
      async send({ to, subject, html = '' }: EmailMessage) {
        // Works around lite, whose text part lacks the template's link: the text is made from the HTML.
        keep({ to, subject, text: textOf(html), html, headers: {} })
      },
    },
    async handler(request) {
      const { pathname } = new URL(request.url)
      if (pathname === mailPath && request.method === 'POST') return accept(request)
      const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
      if (pathname === '/messages.json') return Response.json(messages, { headers })
      if (pathname !== '/') return new Response('Not found', { status: 404, headers })
      return new Response(page(messages), {
        headers: {
          ...headers,
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
        },
      })
    },
  }
}

/** An error in Resend's form: https://resend.com/docs/api-reference/errors. */
function refusal(statusCode: number, name: string, message: string): Response {
  return Response.json({ statusCode, name, message }, { status: statusCode })
}

/** How long the mailbox remembers an idempotency key, in milliseconds. */
const keyLife = 24 * 3_600_000

/** Handles POST /emails like Resend, with Idempotency-Key, for the fields that the site sends. */
function acceptMails(keep: (message: Omit<MailboxMessage, 'date'>) => void): Handler {
  const known = new Map<string, { body: string; at: number; id: string }>()
  return async (request) => {
    const key = request.headers.get('idempotency-key') ?? ''
    if (request.headers.get('authorization') !== `Bearer ${mailKey}`)
      return refusal(403, 'invalid_api_key', 'API key is invalid')
    if (key.length < 1 || key.length > 256)
      return refusal(400, 'invalid_idempotency_key', 'The key must be between 1-256 chars')
    const body = await request.text()
    const earlier = known.get(key)
    if (earlier && Date.now() - earlier.at < keyLife) {
      if (earlier.body === body) return Response.json({ id: earlier.id })
      return refusal(
        409,
        'invalid_idempotent_request',
        'Same idempotency key used with a different request payload',
      )
    }
    const mail = readMail(body)
    if (!mail)
      return refusal(
        422,
        'validation_error',
        'The fields `from`, `to`, `subject`, `html` and `text` are needed',
      )
    const id = crypto.randomUUID()
    known.set(key, { body, at: Date.now(), id })
    keep(mail)
    return Response.json({ id })
  }
}

function readMail(body: string): Omit<MailboxMessage, 'date'> | null {
  try {
    const { from, to, subject, html, text, headers } = JSON.parse(body)
    const isMail = [from, to?.[0], subject, html, text].every((part) => typeof part === 'string')
    return isMail ? { to: to[0], subject, html, text, headers: headers ?? {} } : null
  } catch {
    return null
  }
}

/** Converts the HTML of an email to plain text, with the URL of each link on a separate line. */
export function textOf(html: string): string {
  return html
    .replace(/<(head|style|script)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/\s+/g, ' ')
    .replace(/<a\b[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gi, '$2:\n$1')
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<\/(h\d|p|div|tr|table|ul|ol)>/gi, '\n\n')
    .replace(/<[^<>]+>/g, '')
    .replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (_, name: string) => entities[name] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ', amp: '&' }

function page(messages: MailboxMessage[]): string {
  const mails = messages.map(
    (mail) => `<article>
  <h2>${escapeHtml(mail.subject)}</h2>
  <p class="soft">To ${escapeHtml(mail.to)}, <time datetime="${mail.date}">${mail.date.replace('T', ' ').slice(0, 19)} UTC</time></p>
  <pre>${link(escapeHtml(mail.text))}</pre>
  <details><summary>As HTML</summary>
    <iframe sandbox title="${escapeHtml(mail.subject)}" srcdoc="${escapeHtml(mail.html)}"></iframe>
  </details>
</article>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>Emails (${messages.length})</title>
  <style>${pageStyle}</style>
</head>
<body>
  <h1>Emails</h1>
  <p class="soft">Emails caught since start, newest first. None were really sent.</p>
  ${mails.join('\n') || '<article><p>No email yet.</p></article>'}
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function link(escaped: string): string {
  return escaped.replace(
    /https?:\/\/[^\s<]+/g,
    (url) => `<a href="${url}" target="_blank" rel="noreferrer">${url}</a>`,
  )
}
