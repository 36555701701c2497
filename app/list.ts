/** 'a', 'a and b', 'a, b, and c'. Written out for the reason in decision 017. */
export function listWords(items: readonly string[], conjunction: 'and' | 'or'): string {
  if (items.length < 2) return items.join('')
  const comma = items.length > 2 ? ',' : ''
  return `${items.slice(0, -1).join(', ')}${comma} ${conjunction} ${items.at(-1)}`
}
