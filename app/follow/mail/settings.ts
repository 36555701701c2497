import type { Config } from '../../platform/server/env.server.ts'

export interface MailSettings {
  from: string
  key: string
  url: string
}

/** The settings of the mail service. Null without one: pages then do not offer to follow a topic. */
export function mailSettings({
  MAIL_FROM: from,
  MAIL_API_KEY: key,
  MAIL_API_URL: url,
}: Pick<Config, 'MAIL_FROM' | 'MAIL_API_KEY' | 'MAIL_API_URL'>): MailSettings | null {
  return from && key ? { from, key, url } : null
}
