import { assertFree } from '../../scripts/free-port.ts'

/** A Supabase project, hosted or local, which the tests use instead of the embedded backend. */
export interface Project {
  url: string
  publishableKey: string
  /** The URL of the mailbox for the project's emails, of the embedded backend or of Mailpit. */
  mailUrl: string
  /** The Site URL of the project. Its emails link to this URL, so the tested site listens there. */
  siteUrl: string
  /** Whether an email address must be confirmed before its owner can sign in. */
  confirmations: boolean
}

/**
 * Returns the project that the environment names with SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, MAILBOX_URL
 * and, optionally, SITE_URL; null without SUPABASE_URL. Throws if a variable is missing or the project does
 * not respond with success. With `prefix`, reads the variables of the second project.
 */
async function readProject(prefix: '' | 'CONFIRMING_' = ''): Promise<Project | null> {
  const read = (name: string) => process.env[prefix + name] || undefined
  const url = read('SUPABASE_URL')?.replace(/\/$/, '')
  if (!url) return null
  const need = (name: string) => {
    const value = read(name)
    if (!value) throw new Error(`${prefix}${name} is not set: docs/deploying.md lists what a project needs`)
    return value
  }
  const publishableKey = need('SUPABASE_PUBLISHABLE_KEY')
  const mailUrl = need('MAILBOX_URL').replace(/\/$/, '')
  const response = await fetch(`${url}/auth/v1/settings`, { headers: { apikey: publishableKey } })
  if (!response.ok) throw new Error(`${url}/auth/v1/settings responds with ${response.status}`)
  const { mailer_autoconfirm } = (await response.json()) as { mailer_autoconfirm: boolean }
  return {
    url,
    publishableKey,
    mailUrl,
    siteUrl: read('SITE_URL') ?? 'http://127.0.0.1:8787',
    confirmations: !mailer_autoconfirm,
  }
}

/** Throws if the site cannot listen at the project's site URL, to which the links of emails lead. */
export async function assertSiteUrlIsFree({ siteUrl }: Project): Promise<void> {
  const port = Number(new URL(siteUrl).port || 80)
  const advice = "End the program that uses it, or set SITE_URL and the project's site URL to another port."
  await assertFree(port, 'the port of SITE_URL', advice)
}

/** The projects that the environment names, at most two (the second by CONFIRMING_…). */
export async function readProjects(): Promise<Project[]> {
  const projects = await Promise.all([readProject(), readProject('CONFIRMING_')])
  return projects.filter((project) => project !== null)
}
