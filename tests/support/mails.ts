import { textOf } from '../../supabase/embedded/mailbox.ts'

/** An email. `text` has the URL of each link on a separate line. */
export interface Mail {
  to: string
  subject: string
  text: string
}

/**
 * Returns all emails to an address, newest first. `mailUrl` is the mailbox of the embedded backend, or
 * Mailpit, which the Supabase CLI starts. Throws for any other server.
 */
export async function readMails(mailUrl: string, address: string): Promise<Mail[]> {
  const response = await fetch(`${mailUrl}/messages.json`)
  if (response.status === 404) return readMailpit(mailUrl, address)
  const mails: Mail[] = await response.json()
  return mails.filter(({ to }) => to === address)
}

/** Written according to https://mailpit.axllent.org/docs/api-v1/ and tested with v1.30.5. */
async function readMailpit(mailUrl: string, address: string): Promise<Mail[]> {
  const read = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${mailUrl}/api/v1/${path}`)
    if (!response.ok) throw new Error(`${mailUrl} serves neither /messages.json nor Mailpit's API`)
    return (await response.json()) as T
  }
  const query = encodeURIComponent(`to:"${address}"`)
  const { messages } = await read<{ messages: { ID: string }[] }>(`search?query=${query}`)
  return Promise.all(
    messages.map(async ({ ID }) => {
      const { Subject, HTML } = await read<{ Subject: string; HTML: string }>(`message/${ID}`)
      return { to: address, subject: Subject, text: textOf(HTML) }
    }),
  )
}
