/** A comment, a text in single quotes, double quotes or dollars, or one other character. */
const tokens = /--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"[^"]*"|[\s\S]/g

const isComment = (token: string) => token.startsWith('--') || token.startsWith('/*')
const isBody = (token: string) => /^\$\w*\$/.test(token) && token.length > 1

/** Returns SQL without its comments, even those in the bodies of functions. */
export function withoutComments(sql: string): string {
  return sql.replace(tokens, (token) => {
    if (isComment(token)) return ''
    if (!isBody(token)) return token
    const [quote = ''] = /^\$\w*\$/.exec(token) ?? []
    return quote + withoutComments(token.slice(quote.length, -quote.length)) + quote
  })
}

/**
 * Returns the comments of SQL: lines that follow each other are one comment, also in the bodies of functions; and the
 * texts of `comment on`.
 */
export function commentsOfSql(sql: string): string[] {
  const comments = [...sql.matchAll(/(?<=^|; )comment on [^;]*? is\s+('(?:[^']|'')*')/gm)].map(
    ([, text = '']) => text,
  )
  let isOpen = false
  for (const [token] of sql.matchAll(tokens)) {
    if (isComment(token)) {
      const text = token.replace(/^-+\s*/, '')
      if (isOpen) comments.push(`${comments.pop()} ${text}`)
      else comments.push(text)
      isOpen = true
    } else if (isBody(token)) {
      const [quote = ''] = /^\$\w*\$/.exec(token) ?? []
      comments.push(...commentsOfSql(token.slice(quote.length, -quote.length)))
      isOpen = false
    } else if (token.trim()) isOpen = false
  }
  return comments
}
