import { createInterface } from 'node:readline'
import { GoTrueAdminApi } from '@supabase/auth-js'
import * as z from 'zod/mini'
import { plural } from '../app/platform/plural.ts'
import { integerColumn } from '../app/platform/server/columns.server.ts'
import { brand } from '../app/platform/site.ts'
import { formatDay } from '../app/platform/time.ts'
import { type Operator, UsageError } from './ledger-operator.ts'

/** The number of days in which a member can object to the removal. */
const waitDays = 3
const unchanged = 'Nothing was changed.'

interface Factor {
  id: string
  friendly_name?: string
  created_at: string
}

/**
 * Removes the second factors of the member with this email address, and ends all sessions of the member.
 * Always asks twice, because a thief would make the same request. If the operator has not written to the
 * member yet, prints the email to send and changes nothing. Throws a UsageError for an unknown member, if a
 * confirmation is missing, and if the auth service refuses.
 */
export async function removeFactor(operator: Operator, email: string | undefined): Promise<void> {
  if (!email) throw new UsageError('Name the member: npm run ledger -- member remove-factor <email>')
  const { SITE_URL } = operator.config
  const admin = openAdmin(operator)
  const memberId = await findMember(operator, email)
  await refuseOperator(operator, memberId)
  const factors = await listFactors(admin, memberId)
  console.log(summary(email, factors))
  await confirmTwice(email, SITE_URL)
  for (const factor of factors) {
    const { error } = await admin.mfa.deleteFactor({ userId: memberId, id: factor.id })
    if (error) throw new UsageError(`The auth service refused: ${error.message}. Run the command again.`)
  }
  // End the sessions after the removal: a session that begins during the removal has no second factor either.
  const ended = await operator.service.call('end_sessions', integerColumn, { member: memberId })
  const apps = plural(factors.length, { one: '# app', other: '# apps' })
  const sessions = plural(ended, { one: '# session', other: '# sessions' })
  console.log(
    `\nRemoved ${apps} and ended ${sessions}. Now send this email:\n\n${removedMail(email, SITE_URL)}`,
  )
}

function openAdmin({ config }: Operator): GoTrueAdminApi {
  const key = config.SUPABASE_SECRET_KEY ?? ''
  return new GoTrueAdminApi({
    url: `${config.SUPABASE_URL}/auth/v1`,
    headers: { apikey: key, Authorization: `Bearer ${key}` },
  })
}

async function findMember({ service }: Operator, email: string): Promise<string> {
  const member = await service.call('find_member', z.nullable(z.string()), { address: email })
  if (!member) throw new UsageError(`No member has the email address ${email}.`)
  return member
}

async function listFactors(admin: GoTrueAdminApi, userId: string): Promise<Factor[]> {
  const { data, error } = await admin.mfa.listFactors({ userId })
  if (error) throw new UsageError(`The auth service refused: ${error.message}.`)
  return data.factors
}

/**
 * Throws for an operator: without a second factor, a person who controls the email address could sign in and
 * act as the operator.
 */
async function refuseOperator({ service }: Operator, memberId: string): Promise<void> {
  const [active] = await service.rows('operators', z.object({ handle: z.string() }), (query) =>
    query.eq('member', memberId).is('until', null).limit(1),
  )
  if (active) throw new UsageError('End the operator first.')
}

function summary(email: string, factors: Factor[]): string {
  const apps = factors.map(
    ({ friendly_name, created_at }) =>
      `  ${friendly_name || 'without a name'}, added on ${formatDay(new Date(created_at))}`,
  )
  return [`Member ${email}. Authenticator apps:`, ...(apps.length ? apps : ['  none'])].join('\n')
}

/** Throws a UsageError unless the operator gives both confirmations. */
async function confirmTwice(email: string, siteUrl: string): Promise<void> {
  const terminal = createInterface({ input: process.stdin })
  const lines = terminal[Symbol.asyncIterator]()
  const ask = async (question: string): Promise<string> => {
    process.stdout.write(question)
    const { value } = await lines.next()
    return typeof value === 'string' ? value.trim() : ''
  }
  try {
    const waited = await ask(
      `Did you write to ${email} at least ${waitDays} days ago, and no one objected? [y/N] `,
    )
    if (!/^y(es)?$/i.test(waited))
      throw new UsageError(
        `\n${unchanged} Send this email, wait ${waitDays} days, then run the command again:\n\n${announcementMail(email, siteUrl)}`,
      )
    const typed = await ask(
      'To remove all apps and sign the member out everywhere, type the email address again: ',
    )
    if (typed.toLowerCase() !== email.toLowerCase()) throw new UsageError(`\n${unchanged}`)
  } finally {
    terminal.close()
  }
}

function announcementMail(email: string, siteUrl: string): string {
  return `To: ${email}
Subject: Someone asked us to turn off your two-step sign-in

Someone asked us to remove the authenticator app from your ${brand} account, because it is lost.

Was it you? Then wait. In ${waitDays} days we remove the app and sign you out on all devices.
Was it someone else? Answer this email before that, and choose a new password: ${siteUrl}/auth/forgot

We never ask for your password, a code or a key.`
}

function removedMail(email: string, siteUrl: string): string {
  return `To: ${email}
Subject: Your two-step sign-in is off

We removed the authenticator app from your ${brand} account, as you asked, and signed you out on all devices.

Sign in with your password: ${siteUrl}/auth
Then set up an app on two devices: ${siteUrl}/dashboard/account/factor

Didn't you ask for this? Answer this email now, and choose a new password: ${siteUrl}/auth/forgot`
}
