import { msg } from '@lingui/core/macro'
import type { I18n } from '../../platform/locales/i18n'
import type { Locale } from '../../platform/locales/locales'
import { brand } from '../../platform/site'

/** A part of an email. Each part is written twice with the same words: as HTML and as plain text. */
export type Block =
  /** `lang`: the language of the text, if it differs from the language of the email; empty if it is unknown. */
  | { kind: 'heading' | 'text' | 'quote' | 'small'; text: string; lang?: 'en' | '' }
  | { kind: 'list'; items: { text: string; href?: string }[] }
  | { kind: 'figures'; rows: { name: string; value: string }[] }
  | { kind: 'picture'; src: string; alt: string; width: number; height: number }
  | { kind: 'button' | 'link'; label: string; href: string }

/** The width of the column in pixels. */
const columnWidth = 600

const table = '<table role="presentation" cellpadding="0" cellspacing="0" border="0">'
const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const size = {
  heading: 'font-size:22px;line-height:28px',
  text: 'font-size:16px;line-height:24px',
  small: 'font-size:14px;line-height:20px',
}

/**
 * The HTML of an email: a table with one column. Its elements have inline styles, because Outlook ignores
 * most other styles. Outlook also ignores a maximum width, so a table for Outlook alone (mso) has a width.
 * Clients that read the style sheet use its dark mode; other clients invert the colours themselves.
 */
export function toHtml(subject: string, blocks: readonly Block[], { tag, dir }: Locale): string {
  const rows = blocks.map((block) => {
    const words = 'lang' in block && block.lang !== tag ? ` lang="${block.lang}" dir="auto"` : ''
    return `<tr><td${words} style="padding:0 24px 16px">${htmlOf(block, dir)}</td></tr>`
  })
  // Web mail keeps neither <html> nor <body>, some of it no attribute or no style.
  const [turned, direction] = dir === 'rtl' ? [' dir="rtl"', 'direction:rtl;text-align:right;'] : ['', '']
  return `<!doctype html>
<html lang="${tag}"${turned}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page, .sheet { background-color: #1c1b19 !important; }
  .ink { color: #ece7db !important; }
  .soft { color: #b3ab99 !important; }
  .button { background-color: #ece7db !important; color: #1c1b19 !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#fbf8f1">
<table role="presentation" class="page"${turned} width="100%" cellpadding="0" cellspacing="0" border="0" style="${direction}background-color:#fbf8f1">
<tr><td align="center" style="padding:24px 0">
<!--[if mso]><table role="presentation" width="${columnWidth}" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" class="sheet"${turned} width="100%" cellpadding="0" cellspacing="0" border="0" style="${direction}max-width:${columnWidth}px;background-color:#fbf8f1">
${rows.join('\n')}
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`
}

function htmlOf(block: Block, dir: Locale['dir']): string {
  const [start, end] = dir === 'rtl' ? ['right', 'left'] : ['left', 'right']
  switch (block.kind) {
    case 'heading':
      return `<h1 class="ink" style="margin:0;${font};${size.heading};font-weight:700;color:#1d1b16">${escapeHtml(block.text)}</h1>`
    case 'text':
      return paragraphs(block.text, 'ink', '#1d1b16', size.text)
    case 'small':
      return paragraphs(block.text, 'soft', '#635c4e', size.small)
    case 'quote':
      return `${table}<tr><td style="border-${start}:4px solid #b98900;padding-${start}:12px">${paragraphs(block.text, 'ink', '#1d1b16', size.text)}</td></tr></table>`
    case 'list':
      return `<ul class="ink" style="margin:0;padding-${start}:20px;${font};${size.text};color:#1d1b16">${block.items
        .map(({ text, href }) => `<li>${href ? anchor(href, text) : escapeHtml(text)}</li>`)
        .join('')}</ul>`
    case 'figures':
      return `${table}${block.rows
        .map(
          ({ name, value }) =>
            `<tr><td class="soft" style="padding:${dir === 'rtl' ? '0 0 4px 16px' : '0 16px 4px 0'};${font};${size.text};color:#635c4e">${escapeHtml(name)}</td><td class="ink" align="${end}" style="padding:0 0 4px;${font};${size.text};font-weight:700;color:#1d1b16">${escapeHtml(value)}</td></tr>`,
        )
        .join('')}</table>`
    case 'picture': {
      const width = Math.min(block.width, columnWidth - 48)
      const height = Math.round((block.height * width) / block.width)
      return `<img src="${escapeHtml(block.src)}" alt="${escapeHtml(block.alt)}" width="${width}" height="${height}" style="display:block;width:100%;max-width:${width}px;height:auto;border:0">`
    }
    case 'button':
      // Outlook applies padding only to cells.
      return `${table}<tr><td class="button" style="background-color:#1d1b16;mso-padding-alt:12px 20px"><a class="button" href="${escapeHtml(block.href)}" style="display:inline-block;color:#fbf8f1;padding:12px 20px;${font};${size.text};font-weight:700;text-decoration:none">${escapeHtml(block.label)}</a></td></tr></table>`
    case 'link':
      return `<p class="soft" style="margin:0;${font};${size.small};color:#635c4e">${anchor(block.href, block.label, 'soft', '#635c4e')}</p>`
  }
}

function paragraphs(text: string, name: string, color: string, scale: string): string {
  return splitParagraphs(text)
    .map(
      (paragraph, at) =>
        `<p class="${name}" style="margin:${at ? '12px' : '0'} 0 0;${font};${scale};color:${color}">${escapeHtml(paragraph)}</p>`,
    )
    .join('')
}

function anchor(href: string, label: string, name = 'ink', color = '#1d1b16'): string {
  return `<a class="${name}" href="${escapeHtml(href)}" style="color:${color};word-break:break-word">${escapeHtml(label)}</a>`
}

/** The plain text of an email: the same words, with each link on its own line. */
export function toText(blocks: readonly Block[]): string {
  return `${blocks.map(textOf).join('\n\n')}\n`
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'text':
    case 'small':
      return splitParagraphs(block.text).join('\n\n')
    case 'quote':
      return splitParagraphs(block.text)
        .map((paragraph) => `> ${paragraph}`)
        .join('\n>\n')
    case 'list':
      return block.items
        .map(({ text, href }) => (href && href !== text ? `- ${text}\n  ${href}` : `- ${text}`))
        .join('\n')
    case 'figures':
      return block.rows.map(({ name, value }) => `${name}: ${value}`).join('\n')
    case 'picture':
      return `[${block.alt}]\n${block.src}`
    case 'button':
    case 'link':
      return `${block.label}\n${block.href}`
  }
}

function splitParagraphs(text: string): string[] {
  return text
    .split(/\n+/)
    .map((line) => line.trim())
    .filter(Boolean)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** The last parts of an email to a follower: its reason, and the links to unfollow without a sign-in. */
export function leaveBlocks(topic: string | null, leaveTopic: string, leaveAll: string, i18n: I18n): Block[] {
  const reason = topic
    ? msg`You get this email because you follow ${topic} on ${brand}.`
    : msg`You get this email because you follow ${brand}.`
  return [
    { kind: 'small', text: i18n._(reason) },
    ...(topic
      ? [{ kind: 'link' as const, label: i18n._(msg`Stop emails about ${topic}`), href: leaveTopic }]
      : []),
    { kind: 'link', label: i18n._(msg`Stop all emails`), href: leaveAll },
  ]
}
