import { createHash } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { writeSignedAnswer } from '../../app/arrival/signed-answer.ts'
import type { Given, Strength } from '../../app/arrival/strengths.ts'
import { impactPools } from '../../app/platform/impact-pools.ts'
import { chainId, daysBefore, fakeAddress, hashOf, type Sql, saltOf } from './demo-rows.ts'

const [education = '', relief = '', animals = ''] = impactPools.map(({ slug }) => slug)

/** A wallet whose key is public on purpose, so its answers prove nothing. This number is the first whose address begins with 0xfa4e. */
const signer = privateKeyToAccount(
  `0x${createHash('sha256').update('a partner of the demonstration 40754').digest('hex')}`,
)
const signingPartner = `${education} partner 1`

/** The wallet of a partner. One of them can sign. */
export function partnerWallet(name: string): string {
  return name === signingPartner ? signer.address.toLowerCase() : fakeAddress(name)
}

/** The partner whose email address two operators entered, and the one with an account at an exchange. */
const mailedPartner = `${relief} partner 2`
export const mailedWallet = partnerWallet(mailedPartner)
const exchangePartner = `${animals} partner 2`
export const exchangeWallet = partnerWallet(exchangePartner)
export const contactEntered = daysBefore(145)

interface Said {
  strength: Strength
  partner: string
  /** Which of the partner's verified payments: 0 is the newest. */
  place: number
  /** Empty for a link without an answer. */
  answers: { answer: Given; words?: string; isPublished?: true; rejected?: string }[]
  /** What an operator says of a no. */
  note?: string
}

const said: Said[] = [
  { strength: 'wallet', partner: signingPartner, place: 1, answers: [{ answer: 'yes' }] },
  {
    strength: 'wallet',
    partner: signingPartner,
    place: 0,
    answers: [
      { answer: 'no', words: 'Ask Petra at the bank.', rejected: 'They name another person.' },
      { answer: 'but', words: 'It came a week late.', isPublished: true },
    ],
  },
  {
    strength: 'mail',
    partner: mailedPartner,
    place: 2,
    answers: [{ answer: 'yes', words: 'The pump runs since Monday.', isPublished: true }],
  },
  { strength: 'mail', partner: mailedPartner, place: 1, answers: [] },
  {
    strength: 'mail',
    partner: mailedPartner,
    place: 0,
    answers: [{ answer: 'no', words: 'Our bank has nothing yet.' }],
  },
  { strength: 'print', partner: exchangePartner, place: 1, answers: [{ answer: 'yes' }] },
  {
    strength: 'print',
    partner: exchangePartner,
    place: 0,
    answers: [{ answer: 'no' }],
    note: 'The shelter changed its wallet, and this one is its former one. They look for the key.',
  },
]

/** Links and answers of each strength, the good and the bad, with the acts of operators about them. */
export async function fillDemoArrival(sql: Sql): Promise<void> {
  await sql(
    `insert into private.contacts (wallet, address, language, is_person, act, since)
     select subject, 'supply@partner.example', 'ar', false, id, $1 from public.operator_acts
     where kind = 'contact' and subject = $2`,
    [contactEntered, mailedWallet],
  )
  for (const one of said) await fillOne(sql, one)
}

async function fillOne(sql: Sql, { strength, partner, place, answers, note }: Said): Promise<void> {
  const wallet = partnerWallet(partner)
  const [row] = await sql<{ id: number; tx_hash: string; ordinal: number }>(
    `select id::int, tx_hash, ordinal from public.published_transactions
     where to_address = $1 and status = 'verified' and type = 'spending' order by occurred_at desc limit 1 offset $2`,
    [wallet, place],
  )
  if (!row) throw new Error(`There is no payment ${place} to ${partner}`)
  const [by, second] = { wallet: [null, null], mail: ['mara', 'tomas'], print: ['tomas', null] }[strength]
  const payment = `${chainId}/${row.tx_hash}/${row.ordinal}`
  if (strength === 'print') await act(sql, 'arrival-print', payment)
  const [ask] = await sql<{ id: number }>(`select private.make_ask($1, $2, $3, $4, $5)::int as id`, [
    row.id,
    strength,
    hashOf(`link ${payment}`),
    by,
    second,
  ])
  for (const [at, { answer, words = null, isPublished, rejected }] of answers.entries()) {
    const time = daysBefore(0.4 - at / 10).replace(/\.\d+Z/, 'Z')
    const wordsHash = words && hashOf(words)
    if (words)
      await sql(
        `insert into private.log_texts (log, hash, salt, text) values ('ledger', $1, decode($2, 'hex'), $3)`,
        [wordsHash, saltOf(words).toString('hex'), words],
      )
    const message = writeSignedAnswer({ payment, row: row.id, wallet, answer, wordsHash, time })
    const isSigned = strength === 'wallet'
    const [made] = await sql<{ id: string }>(
      `insert into private.answers (ask_id, answer, words_hash, signed_at, signature, recorded_at)
       values ($1, $2, $3, $4, $5, $6) returning id::text`,
      [
        ask?.id,
        answer,
        wordsHash,
        isSigned ? time : null,
        isSigned ? await signer.signMessage({ message }) : null,
        time,
      ],
    )
    if (isPublished) await act(sql, 'answer-words', made?.id ?? '')
    if (rejected) await act(sql, 'answer-rejection', made?.id ?? '', rejected)
    if (note) await act(sql, 'mistake-note', `arrival/${made?.id}`, note)
  }
}

/** An act of one operator, the last so far. */
async function act(sql: Sql, kind: string, subject: string, reason: string | null = null): Promise<void> {
  if (reason)
    await sql(
      `insert into private.log_texts (log, hash, salt, text) values ('ledger', $1, decode($2, 'hex'), $3)`,
      [hashOf(reason), saltOf(reason).toString('hex'), reason],
    )
  await sql(
    `insert into public.operator_acts (id, kind, subject, state, by, created_at, saved_at, submitted_at, final_at, number, reason_hash)
     select ('0000dead-0000-4000-8000-' || lpad((200000 + max(number) + 1)::text, 12, '0'))::uuid, $1, $2, 'done', 'tomas', $3, $3, $3, $3,
       max(number) + 1, $4
     from public.operator_acts`,
    [kind, subject, daysBefore(0.2), reason && hashOf(reason)],
  )
}
