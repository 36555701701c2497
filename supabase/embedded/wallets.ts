import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import { addMethod, bodyOf, issueTokens, Refusal } from './assurance.ts'
import type { Database } from './database.ts'
import type { Handler } from './http.ts'

export interface WalletOptions {
  db: Database
  siteUrl: string
}

const messageHeader = ' wants you to sign in with your Ethereum account:'
const validMs = 10 * 60_000

/** The fields of the signed message (EIP-4361) that are checked or stored. */
interface Statement {
  domain: string
  address: Hex
  uri: string
  chainId: string
  statement: string | null
  issuedAt: Date
  expirationTime: Date | undefined
  notBefore: Date | undefined
}

/** A well-formed message that is rejected: the shape of an OAuth error, without `error_code`. */
class InvalidGrant extends Refusal {
  constructor(message: string) {
    super(400, 'invalid_grant', message)
  }

  override toResponse(): Response {
    return Response.json({ error: this.code, error_description: this.message }, { status: this.status })
  }
}

/**
 * Sign-in with a wallet's signature (EIP-4361): POST /token?grant_type=web3. `fetch` handles all other
 * requests. Like the hosted service, this function does not check the nonce or the chain id, and accepts a
 * message repeatedly for ten minutes. The site checks the nonce and the chain id, and rejects repeated
 * messages (app/wallet/message.server.ts).
 */
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
  // Loaded at the first signature: importing it takes a fifth of a backend's startup time.
  const { verifyMessage } = await import('viem/utils')
  // viem throws if no public key can be recovered from the signature.
  const signed = await verifyMessage(proof).catch(() => false)
  if (!signed) throw new InvalidGrant('Signature does not match address in message')
  return statement
}

/** Reads a message line by line, in the hosted service's order, so that it reports the same fault. */
function parse(message: string): Statement {
  const lines = message.split('\n')
  const [header = '', address = '', empty] = lines
  if (lines.length < 6) throw invalid('siwe: message needs at least 6 lines')
  if (!header.endsWith(messageHeader))
    throw invalid(`siwe: message first line does not end in "${messageHeader}"`)
  if (!/^0x[\da-f]{40}$/i.test(address)) throw invalid('siwe: wallet address is not a valid Ethereum address')
  if (empty !== '') throw invalid('siwe: third line must be empty')
  const hasStatement = lines[3] !== '' && lines[4] === ''

  const fields = new Map<string, string>()
  for (const line of lines.slice(hasStatement ? 5 : 3)) {
    const colon = line.indexOf(':')
    fields.set(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const chainId = fields.get('Chain ID')
  if (chainId !== undefined && !(Number(chainId) > 0)) throw invalid('siwe: Chain ID is not valid')
  const [issuedAt, expirationTime, notBefore] = ['Issued At', 'Expiration Time', 'Not Before'].map((name) => {
    const text = fields.get(name)
    const date = text === undefined ? undefined : new Date(text)
    if (date && Number.isNaN(date.getTime())) throw invalid(`siwe: ${name} is not a valid ISO8601 timestamp`)
    return date
  })
  const version = fields.get('Version') ?? ''
  if (version !== '1')
    throw invalid(`siwe: Version value is not supported, expected 1 got ${JSON.stringify(version)}`)
  if (!issuedAt) throw invalid('siwe: Issued At is not specified')
  const uri = fields.get('URI')
  if (!uri) throw invalid('siwe: URI is not specified')
  if (expirationTime && issuedAt > expirationTime) throw invalid('siwe: Issued At is after Expiration Time')
  if (notBefore && expirationTime && notBefore > expirationTime)
    throw invalid('siwe: Not Before is after Expiration Time')
  return {
    domain: header.slice(0, -messageHeader.length),
    address: address as Hex,
    uri,
    chainId: chainId ?? '',
    statement: hasStatement ? (lines[3] ?? null) : null,
    issuedAt,
    expirationTime,
    notBefore,
  }
}

function checkStatement(statement: Statement, { siteUrl }: WalletOptions) {
  const site = new URL(siteUrl)
  const refuse = (what: string) => {
    throw new InvalidGrant(what)
  }
  if (!URL.canParse(statement.uri) || new URL(statement.uri).origin !== site.origin)
    refuse(
      'Signed Ethereum message is using URI which is not allowed on this server, message was signed for another app',
    )
  // The hosted service does not check the domain for localhost, and rejects wallets on any other http URL.
  if (site.protocol === 'https:' && statement.domain !== site.host)
    refuse(
      'Signed Ethereum message is using a Domain that does not match the one in URI which is not allowed on this server',
    )

  const now = Date.now()
  const issued = statement.issuedAt.getTime()
  const { notBefore, expirationTime } = statement
  if (notBefore && now < notBefore.getTime()) refuse('Signed Ethereum message becomes valid in the future')
  // The hosted service checks the expiration only in a message that has a Not Before field.
  if (notBefore && expirationTime && now > expirationTime.getTime())
    refuse('Signed Ethereum message is expired')
  if (now > issued + validMs) refuse('Ethereum message was issued too long ago')
  if (now < issued - validMs) refuse('Ethereum message was issued too far in the future')
}

/** A session for the wallet's member, made at the first sign-in. Addresses are compared by case. */
async function signIn(db: Database, statement: Statement): Promise<{ id: string; userId: string }> {
  const { address } = statement
  const providerId = `web3:ethereum:${address}`
  const data = JSON.stringify({
    sub: providerId,
    custom_claims: {
      address,
      chain: 'ethereum',
      network: statement.chainId,
      domain: statement.domain,
      statement: statement.statement,
    },
    email_verified: false,
    phone_verified: false,
  })

  return db.transaction(async (transaction) => {
    const { rows } = await transaction.query<{ user_id: string }>(
      `update auth.identities set last_sign_in_at = now(), updated_at = now()
       where provider = 'web3' and provider_id = $1 returning user_id`,
      [providerId],
    )
    const userId = rows[0]?.user_id ?? randomUUID()
    if (rows[0]) {
      await transaction.query('update auth.users set raw_user_meta_data = $2 where id = $1', [userId, data])
    } else {
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

function invalid(message: string): Refusal {
  return new Refusal(400, 'validation_failed', message)
}
