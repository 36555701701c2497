import { expect } from '@playwright/test'
import { readMails } from '../support/mails.ts'

/** An email. `link` and `code` are '' if the email does not contain them. */
export interface Mail {
  subject: string
  text: string
  link: string
  code: string
}

/** Returns all emails to an address, newest first. `mailUrl` is the mailbox of the site's backend. */
export async function mailsTo(mailUrl: string, address: string): Promise<Mail[]> {
  const mails = await readMails(mailUrl, address)
  return mails.map(({ subject, text }) => ({
    subject,
    text,
    link: /https?:\/\/\S+token_hash=\S+/.exec(text)?.[0] ?? '',
    code: /^\d{6}$/m.exec(text)?.[0] ?? '',
  }))
}

/** The service sends at most one email per second to an email address (`max_frequency` in supabase/config.toml). */
export const mailPause = () => new Promise((resolve) => setTimeout(resolve, 1100))

/** Waits until an email address has received `count` emails, and returns the newest. */
export async function nextMail(mailUrl: string, address: string, count = 1): Promise<Mail> {
  await expect(async () => expect(await mailsTo(mailUrl, address)).toHaveLength(count)).toPass()
  const [mail] = await mailsTo(mailUrl, address)
  return mail as Mail
}
