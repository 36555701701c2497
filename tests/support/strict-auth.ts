import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
  sign,
  verify,
} from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { drawFrom } from './draw.ts'
import { selected } from './selection.ts'

/**
 * An auth service with single-use refresh tokens. It accepts a used token again only if this token is the
 * parent of the active token and the response with the active token was lost. The hosted service accepts this
 * and more (docs/operating.md). Any other reuse counts as `spentTwice` and revokes the whole family.
 *
 * Access tokens are signed with ES256 and the key set is published, so the worker verifies them itself. The
 * worker's library compares `exp` with the real clock. Without `skew`, the clock of this service is never
 * behind the real clock, so a token that is valid here is also valid for the worker.
 */
export interface StrictOptions {
  /** The seconds that pass for this backend in a real one; the same as the worker's CLOCK_RATE. */
  rate?: number
  /** The time at which both clocks agree, in milliseconds; the same as the worker's CLOCK_START. */
  start?: number
  /** The number of seconds by which this backend's clock is ahead of all others. */
  skew?: number
  /** The lifetime of an access token, in seconds. */
  lifetime?: number
  /** The share of calls that fail, from 0 to 1, and the seed that selects them. */
  faultRate?: number
  seed?: number
}

/** Faults before the call is executed (status, closed, silent, HTML, null) or after (`slow`, `lost`). */
export type StrictFault = '502' | '503' | '504' | 'reset' | 'hang' | 'garbage' | 'null' | 'slow' | 'lost'
/** The kinds of calls that can fail. */
type Kind = 'refresh' | 'password' | 'pkce' | 'user' | 'logout' | 'jwks' | 'rest'

const drawn: StrictFault[] = ['502', '503', '504', 'reset', 'garbage', 'lost']

interface Member {
  id: string
  email: string
  password: string
  /** The second factors, in the service's format. */
  factors: object[]
  profile: Record<
    'username' | 'wallet_address' | 'proven_wallet_address' | 'avatar_path' | 'operator_handle',
    string | null
  >
}

interface Token {
  family: Family
  parent: string | null
  spent: boolean
  /** Whether the response with the next token was sent completely. */
  answered: boolean
}

interface Family {
  id: string
  member: Member
  active: string
  revoked: boolean
}

/** The response from the token endpoint. */
export interface StrictSession {
  access_token: string
  refresh_token: string
  token_type: 'bearer'
  expires_in: number
  expires_at: number
  user: object
}

interface Answer {
  status: number
  body?: unknown
  /** Called after the response was sent completely. */
  left?: () => void
}

export type StrictAuth = Awaited<ReturnType<typeof startStrictAuth>>

export async function startStrictAuth(options: StrictOptions = {}) {
  const { rate = 1, start = 0, skew = 0, lifetime = 3600, faultRate = 0, seed = 1 } = options
  const random = drawFrom(seed)
  let key = newSigningKey()
  let keySet = [key.published]
  const members = new Map<string, Member>()
  const families = new Map<string, Family>()
  const tokens = new Map<string, Token>()
  const codes = new Map<string, { member: Member; challenge: string }>()
  const counts = {
    calls: 0,
    faults: 0,
    refreshes: 0,
    /** The number of times that a used token was accepted again because its response was lost. */
    recovered: 0,
    spentTwice: 0,
    refused: 0,
    byKind: {} as Partial<Record<Kind, number>>,
  }
  const faults: Partial<Record<Kind, StrictFault>> = {}
  /** The delay of the fault `slow`, in real milliseconds. */
  let delay = 40
  let refusal: { status: number; body: object } | undefined
  let passwordRefusal: { status: number; body: object } | undefined
  let refreshHeaders: IncomingMessage['headers'] = {}
  let drawing = true

  /** Seconds since the epoch, by this backend's clock. */
  const now = () => (rate === 1 ? Date.now() : start + (Date.now() - start) * rate) / 1000 + skew

  const userOf = ({ id, email, factors }: Member) => ({
    id,
    email,
    aud: 'authenticated',
    role: 'authenticated',
    app_metadata: { provider: 'email' },
    user_metadata: {},
    identities: [],
    factors,
    created_at: '2026-01-01T00:00:00Z',
  })

  const claimsOf = (family: Family, more: object = {}) => {
    const issued = Math.floor(now())
    return {
      iss: `${url()}/auth/v1`,
      aud: 'authenticated',
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: issued }],
      sub: family.member.id,
      email: family.member.email,
      session_id: family.id,
      iat: issued,
      exp: issued + lifetime,
      ...more,
    }
  }

  function tokenResponse(family: Family, claims: object = {}): StrictSession {
    const expires_at = Math.floor(now()) + lifetime
    return {
      access_token: signToken(claimsOf(family, claims), key),
      refresh_token: family.active,
      token_type: 'bearer',
      expires_in: lifetime,
      expires_at,
      user: userOf(family.member),
    }
  }

  function newToken(family: Family, parent: string | null): string {
    const token = randomBytes(9).toString('base64url')
    tokens.set(token, { family, parent, spent: false, answered: false })
    family.active = token
    return token
  }

  function beginSession(member: Member): Family {
    const family: Family = { id: randomUUID(), member, active: '', revoked: false }
    families.set(family.id, family)
    newToken(family, null)
    return family
  }

  function refresh(presented: unknown): Answer {
    counts.refreshes++
    if (refusal) return refusal
    const token = tokens.get(String(presented))
    if (!token) return refuse(400, 'refresh_token_not_found')
    const { family } = token
    if (family.revoked || !members.has(family.member.id)) return refuse(400, 'refresh_token_already_used')
    const left = () => {
      token.answered = true
    }
    if (!token.spent) {
      token.spent = true
      newToken(family, String(presented))
      return { status: 200, body: tokenResponse(family), left }
    }
    if (!token.answered && tokens.get(family.active)?.parent === presented) {
      counts.recovered++
      return { status: 200, body: tokenResponse(family), left }
    }
    counts.spentTwice++
    family.revoked = true
    return refuse(400, 'refresh_token_already_used')
  }

  function refuse(status: number, code: string): Answer {
    counts.refused++
    return { status, body: { code: status, error_code: code, msg: `<b>${code}</b> of the backend` } }
  }

  /** The session of the call's token, or null. With `rate`, valid for 15 real seconds after `exp`. */
  function bearer(request: IncomingMessage): Family | null {
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    const [head = '', payload = ''] = token.split('.')
    if (!Buffer.from(head, 'base64url').toString().includes('"alg":"ES256"')) return null
    const signed = Buffer.from(token.split('.')[2] ?? '', 'base64url')
    const verifier = { key: createPublicKey(key.privateKey), dsaEncoding: 'ieee-p1363' } as const
    if (!verify('sha256', Buffer.from(`${head}.${payload}`), verifier, signed)) return null
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
    if (Number(claims.exp) + 15 * (rate === 1 ? 0 : rate) < now()) return null
    const family = families.get(String(claims.session_id))
    return family && members.has(family.member.id) ? family : null
  }

  function handle(kind: Kind, request: IncomingMessage, url: URL, text: string): Answer {
    const body = text ? (JSON.parse(text) as Record<string, unknown>) : {}
    switch (kind) {
      case 'jwks':
        return { status: 200, body: { keys: keySet } }
      case 'refresh':
        refreshHeaders = request.headers
        return refresh(body.refresh_token)
      case 'password': {
        if (passwordRefusal) return passwordRefusal
        const member = [...members.values()].find(({ email }) => email === body.email)
        return member && member.password === body.password
          ? { status: 200, body: tokenResponse(beginSession(member)) }
          : refuse(400, 'invalid_credentials')
      }
      case 'pkce': {
        const code = codes.get(String(body.auth_code))
        if (!code) return refuse(404, 'flow_state_not_found')
        if (code.challenge !== challengeOf(String(body.code_verifier)))
          return refuse(400, 'bad_code_verifier')
        codes.delete(String(body.auth_code))
        const amr = [{ method: 'magiclink', timestamp: Math.floor(now()) }]
        return { status: 200, body: tokenResponse(beginSession(code.member), { amr }) }
      }
      case 'user': {
        const family = bearer(request)
        return family ? { status: 200, body: userOf(family.member) } : refuse(403, 'bad_jwt')
      }
      case 'logout': {
        const family = bearer(request)
        if (!family) return refuse(403, 'session_not_found')
        family.revoked = true
        families.delete(family.id)
        return { status: 204 }
      }
      default:
        return rest(request, url, body)
    }
  }

  function rest(request: IncomingMessage, url: URL, body: Record<string, unknown>): Answer {
    const family = bearer(request)
    if (!url.pathname.endsWith('/profiles')) return { status: 200, body: [] }
    if (!family) return { status: 401, body: { code: 'PGRST303', message: 'JWT expired' } }
    const { profile, id } = family.member
    if (url.searchParams.get('id') !== `eq.${id}`) return { status: 200, body: [] }
    if (request.method === 'PATCH') Object.assign(profile, body)
    return { status: 200, body: selected([{ id, ...profile }], url) }
  }

  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://strict')
    const kind = kindOf(request, url)
    const text = await readBody(request)
    counts.calls++
    counts.byKind[kind] = (counts.byKind[kind] ?? 0) + 1
    const unlucky = drawing && random() < faultRate
    const fault = faults[kind] ?? (unlucky ? drawn[Math.floor(random() * drawn.length)] : undefined)
    if (fault) counts.faults++
    const after = fault === 'slow' || fault === 'lost' || fault === undefined
    if (!after) return fail(fault, request, response)
    const answer = handle(kind, request, url, text)
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, delay))
    if (fault === 'lost') return void request.socket.destroy()
    if (!response.socket?.writable) return
    response.once('finish', () => answer.left?.())
    response.writeHead(answer.status, { 'Content-Type': 'application/json' })
    response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body))
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: url(),
    publishableKey: 'sb_publishable_strict',
    counts,
    /** The fault of each kind of call until the test removes it, before the random faults. */
    faults,
    now,
    get key() {
      return key
    },
    /** Signs with a new key from now on. If `keep` is true, the key set keeps the previous key. */
    rotateKey({ keep }: { keep: boolean }) {
      key = newSigningKey()
      keySet = keep ? [...keySet, key.published] : [key.published]
    },
    /** The headers of the last refresh. */
    get refreshHeaders() {
      return refreshHeaders
    },
    /** While this is set, it is the response to every password sign-in. */
    set passwordRefusal(answer: { status: number; body: object } | undefined) {
      passwordRefusal = answer
    },
    set slowness(milliseconds: number) {
      delay = milliseconds
    },
    /** While this is set, it is the response to every refresh. */
    set refusal(answer: { status: number; body: object } | undefined) {
      refusal = answer
    },
    /** Ends the random faults. */
    calm() {
      drawing = false
    },
    addMember(email: string, password = 'a password'): Member {
      const profile = {
        username: 'Strict Member',
        wallet_address: null,
        proven_wallet_address: null,
        avatar_path: null,
        operator_handle: null,
      }
      const member: Member = { id: randomUUID(), email, password, factors: [], profile }
      members.set(member.id, member)
      return member
    },
    removeMember: (member: Member) => members.delete(member.id),
    /** A session of `member` as the token endpoint's, valid for `seconds`. `claims` replace the token's. */
    newSession(member: Member, seconds = lifetime, claims: object = {}): StrictSession {
      const family = beginSession(member)
      const exp = Math.floor(now()) + seconds
      return { ...tokenResponse(family, { exp, ...claims }), expires_in: seconds, expires_at: exp }
    },
    /** Returns a PKCE code for the holder of the verifier. */
    newCode(member: Member, verifier: string): string {
      const code = randomUUID()
      codes.set(code, { member, challenge: challengeOf(verifier) })
      return code
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function kindOf(request: IncomingMessage, url: URL): Kind {
  const { pathname, searchParams } = url
  if (pathname === '/auth/v1/.well-known/jwks.json') return 'jwks'
  if (pathname === '/auth/v1/user') return 'user'
  if (pathname === '/auth/v1/logout') return 'logout'
  if (pathname === '/auth/v1/token') {
    const grant = searchParams.get('grant_type')
    return grant === 'refresh_token' ? 'refresh' : grant === 'pkce' ? 'pkce' : 'password'
  }
  if (!pathname.startsWith('/rest/v1/')) throw new Error(`unknown path: ${request.method} ${pathname}`)
  return 'rest'
}

function fail(fault: StrictFault, request: IncomingMessage, response: ServerResponse): void {
  if (fault === 'hang') return
  if (fault === 'reset') request.socket.destroy()
  else if (fault === 'garbage')
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Welcome to nginx</h1>')
  else if (fault === 'null') response.writeHead(200, { 'Content-Type': 'application/json' }).end('null')
  else
    response.writeHead(Number(fault), { 'Content-Type': 'application/json' }).end('{"message":"<b>no</b>"}')
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

export interface SigningKey {
  id: string
  privateKey: KeyObject
  published: object
}

export function newSigningKey(id: string = randomUUID()): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const published = {
    ...publicKey.export({ format: 'jwk' }),
    kid: id,
    alg: 'ES256',
    use: 'sig',
    key_ops: ['verify'],
  }
  return { id, privateKey, published }
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function signature(text: string, { privateKey }: SigningKey): string {
  return sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
    'base64url',
  )
}

/** Returns a JWT. `header` replaces header fields that the key otherwise determines. */
export function signToken(claims: object, key: SigningKey, header: object = {}): string {
  const text = `${encode({ alg: 'ES256', typ: 'JWT', kid: key.id, ...header })}.${encode(claims)}`
  return `${text}.${signature(text, key)}`
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
