const jwt = /^[\w-]{10,}\.[\w-]{10,}\.[\w-]*$/
const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const otherAddress = /(?<=\/\/)(127\.0\.0\.1|localhost)(:\d+)?/g

/** The replacement, by the field's name, for values that differ at each call or between projects. */
const varying: Record<string, string> = {
  refresh_token: '<refresh token>',
  qr_code: '<svg>',
  secret: '<secret>',
  uri: '<otpauth uri>',
  expires_at: '<seconds>',
  timestamp: '<seconds>',
  exp: '<seconds>',
  iat: '<seconds>',
  auth_code: '<code>',
  keys: '<public keys>',
}

/**
 * Returns a copy in which secrets, and values that differ at each call, are replaced by the name of their
 * kind. Tokens are decoded, so that their claims can be compared too. Fields and lists are sorted. `names`
 * maps further texts to their replacements.
 */
export function secretsRemoved(value: unknown, names: Map<string, string>, field = ''): unknown {
  if (value !== null && field in varying && value !== '') return varying[field]
  if (Array.isArray(value)) return sorted(value.map((item) => secretsRemoved(item, names, field)))
  if (value && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, held]) => [key, secretsRemoved(held, names, key)] as const)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    )
  if (typeof value !== 'string') return value
  if (jwt.test(value)) return secretsRemoved(decoded(value), names)
  if (instant.test(value)) return '<time>'
  let text = value
  for (const [held, name] of names) text = text.replaceAll(held, name)
  return (
    text
      .replace(uuid, '<uuid>')
      .replace(otherAddress, '<host>')
      .replace(/\b(access_token|refresh_token|code)=[^&"]+/g, '$1=<$1>')
      .replace(/(expires_at)=\d+/g, '$1=<seconds>')
      .replace(/after \d+ seconds/, 'after <n> seconds')
      // The rest of these messages is the text of the service's JSON parser or signature library.
      .replace(/(?<=Could not parse request body as JSON: |token signature is invalid: ).*/, '<reason>')
  )
}

/** Every list is sorted, because the service returns sign-in methods, factors and identities in any order. */
function sorted(items: unknown[]): unknown[] {
  return items.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}

function decoded(token: string): unknown {
  const [header = '', claims = ''] = token.split('.')
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  // The algorithm and id of the signing key differ between projects.
  const { typ } = parse(header)
  return { header: { typ }, claims: parse(claims) }
}
