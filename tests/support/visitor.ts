import { createChunks, stringToBase64URL } from '@supabase/ssr'

/** A page as a visitor without a browser sees it. */
export interface Page {
  status: number
  headers: Headers
  html: string
  /** Where a redirect leads to, without the site's own origin. */
  location: string | null
  /** The cookies it sets, by name: the value, or null for one that it expires. */
  cookies: Record<string, string | null>
}

/** A visitor with nothing but fetch and a cookie jar. Requests may overlap: a browser with several tabs. */
export class Visitor {
  readonly jar = new Map<string, string>()
  readonly #site: string

  constructor(site: string) {
    this.#site = site
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.send(path, { headers: { Accept: 'text/html', ...headers } })
  }

  /** Sends a form of this site, as its own page would. */
  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Page> {
    return this.send(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { Accept: 'text/html', Origin: this.#site, 'Sec-Fetch-Site': 'same-origin', ...headers },
    })
  }

  /** Follows no redirect: each is part of what is tested. */
  async send(path: string, init: RequestInit): Promise<Page> {
    const headers = new Headers(init.headers)
    if (this.jar.size && !headers.has('Cookie'))
      headers.set('Cookie', [...this.jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(this.#site + path, { ...init, headers, redirect: 'manual' })
    const cookies = readSetCookies(response.headers)
    for (const [name, value] of Object.entries(cookies)) {
      if (value === null) this.jar.delete(name)
      else this.jar.set(name, value)
    }
    return {
      status: response.status,
      headers: response.headers,
      html: await response.text(),
      location: response.headers.get('Location')?.replace(this.#site, '') ?? null,
      cookies,
    }
  }

  /** Puts a session into the jar as the site itself would have written it. */
  carry(key: string, session: object): this {
    for (const { name, value } of sessionCookies(key, session)) this.jar.set(name, value)
    return this
  }
}

export function sessionCookies(key: string, session: object): { name: string; value: string }[] {
  return createChunks(key, `base64-${stringToBase64URL(JSON.stringify(session))}`)
}

function readSetCookies(headers: Headers): Page['cookies'] {
  return Object.fromEntries(
    headers.getSetCookie().map((line) => {
      const [pair = '', ...attributes] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      const expired = attributes.some((attribute) => /^max-age=0$/i.test(attribute))
      return [name, expired ? null : pair.slice(pair.indexOf('=') + 1)]
    }),
  )
}

/** The name of the session cookie for a backend on 127.0.0.1. */
export const sessionCookie = 'sb-127-auth-token'

/** Whether the bar of a page shows somebody signed in. */
export function isSignedIn({ html }: Page): boolean {
  return /<nav aria-label="Main"[\s\S]*?<\/nav>/.exec(html)?.[0].includes('href="/dashboard"') ?? false
}

/** The toast of a page: its title and its sentence. */
export function toastOf({ html }: Page): string | null {
  const toast = /<div role="(?:status|alert)" class="toast">([\s\S]*?)<form/.exec(html)?.[1]
  return toast === undefined
    ? null
    : toast
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
}
