/** Passwords, or prefixes of passwords, that the browser tests and the start tests use. */
const passwords = [
  'secret-',
  'a password',
  'another password',
  'quite another',
  'not the password',
  'a wrong password',
  'not this one',
  'demo-goodblock',
]

/** Patterns that no log line may match. */
const shapes: Record<string, RegExp> = {
  'a token': /eyJ[\w-]{6,}/,
  'a key': /sb_(secret|publishable)_\w+/,
  'a cookie': /sb-\w+-auth-token|base64-\w+|set-cookie/i,
  'an e-mail address': /[^\s"/?&=]+(@|%40)[\w-]+\.\w+/i,
  'a password': new RegExp(passwords.join('|')),
  'a hash of a password': /\$2[abxy]\$|\$argon/,
  'what is behind a mailed link': /token_hash|code_verifier|[?&](code|token)=/,
  // Six digits, but not a number after a colon, such as "ms":123456.
  'a code': /(?<![\w.:-])\d{6}(?![\w.-])/,
  // A text that is longer than a UUID, but not a wallet address or a hash of the blockchain.
  'something random': /(?<![\w-])(?!0x|[0-9a-f]{64}(?![\w-]))[\w-]{37,}/,
}

/** 'name: line' for each line that matches a pattern, 'known: secret' for each secret of `known`. */
export function secretsIn(lines: string[], known: string[] = []): string[] {
  const found = Object.entries(shapes).flatMap(([what, shape]) =>
    lines.filter((line) => shape.test(line)).map((line) => `${what}: ${line}`),
  )
  const all = lines.join('\n')
  return [...found, ...known.filter((secret) => all.includes(secret)).map((secret) => `known: ${secret}`)]
}
