import type { Config } from '../server/env.server.ts'

export interface MailSettings {
  from: string
  key: string
  url: string
}

/** The mail service; null for a deployment without one, where nothing about following is shown. */
export function mailSettings({
  MAIL_FROM: from,
  MAIL_API_KEY: key,
  MAIL_API_URL: url,
}: Pick<Config, 'MAIL_FROM' | 'MAIL_API_KEY' | 'MAIL_API_URL'>): MailSettings | null {
  return from && key ? { from, key, url } : null
}
