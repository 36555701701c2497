import { brand } from '../site'

/** The page where the framework can't render one: plain, complete, no stack. */
export function plainPage(status: number, title: string, text: string, requestId?: string): Response {
  const reference = requestId ? `<p><small>Reference: ${escapeHtml(requestId)}</small></p>` : ''
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} · ${brand}</title></head><body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${reference}
<p><a href="/">Return to Home</a></p></main></body></html>`
  return new Response(html, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
  })
}

export function brokenPage(requestId?: string): Response {
  const text = 'Something went wrong on our side. Nothing you did caused it; please try again in a moment.'
  return plainPage(500, 'This page is resting', text, requestId)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
