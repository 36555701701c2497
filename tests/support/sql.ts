/** A comment, a text in single quotes (also with escapes), double quotes or dollars, or one other character. */
const tokens =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|(?<!\w)e'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"[^"]*"|[\s\S]/gi

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

/** SQL's comments, also in functions: lines in a row are one; and the texts of `comment on`. */
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

/** An UPDATE up to SET or the end, or a DELETE's begin; not `do update set` and `for update`. */
const writes =
  /\bupdate\s+(?:only\s+)?(?!set\b)[\w.%]+(?:\s*\*)?(?:\s+(?:as\s+)?(?!set\b)\w+)?\s+set\b|(?<!\b(?:for|key)\s+)\bupdate\s+$|\bdelete\s+from\b/gi

/**
 * Returns each UPDATE and DELETE of SQL that has no WHERE of its own, up to its end; also those in the texts of the SQL,
 * which a function may run. A hosted project refuses them in every session of the data API (safeupdate).
 */
export function unboundedWrites(sql: string): string[] {
  const found: string[] = []
  const plain = sql.replace(tokens, (token) => {
    if (isComment(token)) return ' '
    if (token.startsWith('"') && token.length > 1) return token.replace(/\W/g, '_')
    const [, body] = /^(?:\$\w*\$|e?')([\s\S]*)(?:\$\w*\$|')$/i.exec(token) ?? []
    if (body === undefined) return token
    found.push(...unboundedWrites(body.replaceAll("''", "'")))
    return "''"
  })
  for (const { index, 0: write } of plain.matchAll(writes)) {
    const statement = write + ownPart(plain.slice(index + write.length))
    if (!/\bwhere\b/i.test(statement)) found.push(statement.replace(/\s+/g, ' ').trim())
  }
  return found
}

/** Returns the rest of a statement without what stands in parentheses: up to a semicolon, `loop` or the parenthesis around it. */
function ownPart(rest: string): string {
  let depth = 0
  let part = ''
  for (const [token] of rest.matchAll(/\w+|\W/g)) {
    if (token === ')') depth -= 1
    if (depth < 0 || (depth === 0 && /^(;|loop)$/i.test(token))) return part
    if (depth === 0) part += token
    if (token === '(') depth += 1
  }
  return part
}
