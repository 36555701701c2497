import type { MailSettings } from './settings.ts'

export interface Mail {
  to: string
  subject: string
  html: string
  text: string
  headers: Record<string, string>
}

/**
 * The result of sending an email. `sent`: the service accepted the email, now or after an earlier attempt
 * with the same key. `again`: a temporary fault, or no response. `paused`: the service refuses all our
 * emails, because the quota is used up or the sender is not accepted. `refused`: the service refuses this
 * address.
 */
export interface Sending {
  outcome: 'sent' | 'again' | 'paused' | 'refused'
  reason: string
}

const timeout = 10_000

/**
 * Sends an email with Resend's POST /emails. The service stores an idempotency key for 24 hours: of several
 * requests with the same key, only the first sends an email.
 */
export async function sendMail(settings: MailSettings, mail: Mail, key: string): Promise<Sending> {
  try {
    const response = await fetch(settings.url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${settings.key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify({ from: settings.from, ...mail, to: [mail.to] }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    const text = (await response.text()).slice(0, 2_000)
    return response.ok ? { outcome: 'sent', reason: '' } : readRefusal(response.status, text)
  } catch (error) {
    return { outcome: 'again', reason: (error as Error).name }
  }
}

/** A refusal, from the status and the error's name (https://resend.com/docs/api-reference/errors). */
function readRefusal(status: number, body: string): Sending {
  const { name, message } = parseError(body)
  const reason = `${status} ${name}`.trim()
  // The first attempt was accepted, but the text has changed since, for example by a correction.
  if (name === 'invalid_idempotent_request') return { outcome: 'sent', reason }
  if (/^(daily|monthly)_quota_exceeded$/.test(name)) return { outcome: 'paused', reason }
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500)
    return { outcome: 'again', reason }
  const isAddress = (status === 400 || status === 422) && /`to`|\bto\b.{0,100}field/i.test(message)
  return { outcome: isAddress ? 'refused' : 'paused', reason }
}

/** An error's name and message. The name is stored and logged, so only such names' characters pass. */
function parseError(body: string): { name: string; message: string } {
  try {
    const { name, message } = JSON.parse(body) as Record<string, unknown>
    return {
      name: typeof name === 'string' ? (/^[a-z_]{1,60}$/.exec(name)?.[0] ?? '') : '',
      message: typeof message === 'string' ? message : '',
    }
  } catch {
    return { name: '', message: '' }
  }
}
