import { createChunks, stringToBase64URL } from '@supabase/ssr'
import { type HTMLElement, parse } from 'node-html-parser'

/** The response to a request that is made without a browser. */
export interface Page {
  status: number
  headers: Headers
  html: string
  /** The target of a redirect, without the origin of the site. */
  location: string | null
  /** The cookies that the response sets: the value by name, or null if the response expires the cookie. */
  cookies: Record<string, string | null>
}

/** A visitor that uses fetch and a cookie jar. Requests may overlap, as in a browser with several tabs. */
export class Visitor {
  readonly jar = new Map<string, string>()
  readonly #site: string

  constructor(site: string) {
    this.#site = site
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.send(path, { headers: { Accept: 'text/html', ...headers } })
  }

  /** Sends a form as a page of the site does. */
  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Page> {
    return this.send(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { Accept: 'text/html', Origin: this.#site, 'Sec-Fetch-Site': 'same-origin', ...headers },
    })
  }

  /** Redirects are not followed, because tests check each of them. */
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

  /** Puts a session into the jar, in the format in which the site writes it. */
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

/** Returns a page's parsed document. */
export function documentOf({ html }: Page): HTMLElement {
  return parse(html)
}

/** Returns whether the navigation bar of a page shows a signed-in visitor. */
export function isSignedIn(page: Page): boolean {
  return documentOf(page).querySelector('nav[aria-label="Main"] a[href="/dashboard"]') !== null
}

/** Returns the toast of a page as its title and its sentence, or null if the page has no toast. */
export function toastOf(page: Page): string | null {
  const toast = documentOf(page).querySelector('.toast')
  return toast?.structuredText.replace(/\s+/g, ' ').trim() ?? null
}
