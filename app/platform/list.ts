/**
 * Returns 'a', 'a and b', or 'a, b, and c'. Does not use `Intl`, because its first formatter costs each
 * process 21 ms (decision 007).
 */
export function listWords(items: readonly string[], conjunction: 'and' | 'or'): string {
  if (items.length < 2) return items.join('')
  const comma = items.length > 2 ? ',' : ''
  return `${items.slice(0, -1).join(', ')}${comma} ${conjunction} ${items.at(-1)}`
}
