import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import { parseSiweMessage, type SiweMessage } from 'viem/siwe'
import { verifyMessage } from 'viem/utils'
import { addMethod, bodyOf, issueTokens, Refusal } from './assurance.ts'
import type { Database } from './database.ts'
import type { Handler } from './http.ts'

export interface WalletOptions {
  db: Database
  siteUrl: string
  /** Ids of the chains that a message may name. */
  chains: number[]
}

export const DEFAULT_CHAINS = [56, 97]

const HEADER = ' wants you to sign in with your Ethereum account:'
const VALID_MS = 10 * 60_000

/** What a wallet signed, and nothing that was not in it. */
type Statement = Required<
  Pick<SiweMessage, 'address' | 'domain' | 'uri' | 'chainId' | 'nonce' | 'issuedAt'>
> &
  Pick<SiweMessage, 'statement' | 'expirationTime' | 'notBefore'>

/** The refusal of a message that was read: OAuth's shape, which has no code. */
class InvalidGrant extends Refusal {
  constructor(message: string) {
    super(400, 'invalid_grant', message)
  }

  override toResponse(): Response {
    return Response.json({ error: this.code, error_description: this.message }, { status: this.status })
  }
}

/** Sign-in by a wallet's signature (EIP-4361): POST /token?grant_type=web3; fetch answers the rest. */
export function withWallets(fetch: Handler, options: WalletOptions): Handler {
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    const isOurs = pathname === '/auth/v1/token' && searchParams.get('grant_type') === 'web3'
    if (!isOurs || request.method !== 'POST') return fetch(request)
    try {
      const statement = await readStatement(await bodyOf(request))
      checkStatement(statement, options)
      const session = await signIn(options.db, statement)
      return await issueTokens(fetch, options.db, request, session)
    } catch (error) {
      if (error instanceof Refusal) return error.toResponse()
      throw error
    }
  }
}

async function readStatement(body: Record<string, unknown>): Promise<Statement> {
  const { chain, message, signature } = body
  if (chain !== 'ethereum') throw new Refusal(400, 'web3_unsupported_chain', 'Unsupported chain')
  if (typeof message !== 'string' || message.length < 64) throw invalid('message is too short')
  if (message.length > 20 * 1024) throw invalid('message must not exceed 20KB')
  if (typeof signature !== 'string' || !/^(0x)?[\da-f]{130}$/i.test(signature))
    throw invalid('signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string')

  const statement = parse(message)
  const proof = { address: statement.address, message, signature: `0x${signature.replace(/^0x/, '')}` as Hex }
  // viem throws where the signature is of no key at all.
  const signed = await verifyMessage(proof).catch(() => false)
  if (!signed) throw new InvalidGrant('Signature does not match address in message')
  return statement
}

function parse(message: string): Statement {
  const { address, domain, uri, version, chainId, nonce, issuedAt, ...rest } = parseSiweMessage(message)
  if (!message.split('\n')[0]?.endsWith(HEADER))
    throw invalid(`siwe: message first line does not end in "${HEADER}"`)
  if (!domain || !address) throw invalid('siwe: wallet address is not a valid Ethereum address')
  if (!/^Nonce: /m.test(message)) throw invalid('siwe: Nonce is not specified')
  if (!uri || !version || !chainId || !nonce || !issuedAt) throw invalid('siwe: message is incomplete')
  if (nonce.length < 8) throw invalid('siwe: Nonce is not valid')
  if (version !== '1') throw invalid('siwe: Version is not supported')
  if (!isDate(issuedAt)) throw invalid('siwe: Issued At is not a valid ISO8601 timestamp')
  if (rest.expirationTime && !isDate(rest.expirationTime))
    throw invalid('siwe: Expiration Time is not a valid ISO8601 timestamp')
  if (rest.notBefore && !isDate(rest.notBefore))
    throw invalid('siwe: Not Before is not a valid ISO8601 timestamp')
  // One wallet is one account, however its address is cased.
  return { ...rest, address: address.toLowerCase() as Hex, domain, uri, chainId, nonce, issuedAt }
}

function checkStatement(statement: Statement, { siteUrl, chains }: WalletOptions) {
  const site = new URL(siteUrl)
  const refuse = (what: string) => {
    throw new InvalidGrant(what)
  }
  if (!URL.canParse(statement.uri) || new URL(statement.uri).origin !== site.origin)
    refuse(
      'Signed Ethereum message is using URI which is not allowed on this server, message was signed for another app',
    )
  if (statement.domain !== site.host)
    refuse(
      'Signed Ethereum message is using a Domain that does not match the one in URI which is not allowed on this server',
    )
  if (!chains.includes(statement.chainId))
    refuse('Signed Ethereum message is using a Chain ID which is not allowed on this server')

  const now = Date.now()
  const issued = statement.issuedAt.getTime()
  if (statement.notBefore && now < statement.notBefore.getTime())
    refuse('Signed Ethereum message becomes valid in the future')
  if (statement.expirationTime && now >= statement.expirationTime.getTime())
    refuse('Signed Ethereum message is expired')
  if (now > issued + VALID_MS) refuse('Ethereum message was issued too long ago')
  if (now < issued - VALID_MS) refuse('Ethereum message was issued too far in the future')
}

/** The session of the wallet's member, who is made at the first sign-in. Spends the nonce. */
async function signIn(db: Database, statement: Statement): Promise<{ id: string; userId: string }> {
  const { address, nonce } = statement
  const providerId = `web3:ethereum:${address}`
  const data = JSON.stringify({
    sub: providerId,
    custom_claims: {
      address,
      chain: 'ethereum',
      network: String(statement.chainId),
      domain: statement.domain,
      statement: statement.statement ?? null,
    },
    email_verified: false,
    phone_verified: false,
  })

  return db.transaction(async (transaction) => {
    // A message is valid for ten minutes around its time; a nonce older than an hour protects nothing.
    await transaction.query(`delete from auth.web3_nonces where used_at < now() - interval '1 hour'`)
    const { rows: spent } = await transaction.query(
      'insert into auth.web3_nonces (address, nonce) values ($1, $2) on conflict do nothing returning nonce',
      [address, nonce],
    )
    if (spent.length === 0) throw new InvalidGrant('Signed Ethereum message was already used')

    const { rows } = await transaction.query<{ user_id: string }>(
      `update auth.identities set identity_data = $2, last_sign_in_at = now(), updated_at = now()
       where provider = 'web3' and provider_id = $1 returning user_id`,
      [providerId, data],
    )
    const userId = rows[0]?.user_id ?? randomUUID()
    if (!rows[0]) {
      await transaction.query(
        `insert into auth.users (id, raw_app_meta_data, raw_user_meta_data)
         values ($1, '{"provider": "web3", "providers": ["web3"]}', $2)`,
        [userId, data],
      )
      await transaction.query(
        `insert into auth.identities (id, provider, provider_id, user_id, identity_data, last_sign_in_at)
         values ($1, 'web3', $2, $3, $4, now())`,
        [randomUUID(), providerId, userId, data],
      )
    }
    const id = randomUUID()
    await transaction.query(`insert into auth.sessions (id, user_id, aal) values ($1, $2, 'aal1')`, [
      id,
      userId,
    ])
    await addMethod(transaction, id, 'web3')
    return { id, userId }
  })
}

function isDate(date: Date): boolean {
  return !Number.isNaN(date.getTime())
}

function invalid(message: string): Refusal {
  return new Refusal(400, 'validation_failed', message)
}
