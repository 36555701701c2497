/** The title of a name that we gave to a wallet: nothing verifies such a name, so it never stands alone. */
export function namedByUs(address: string): string {
  return `${address}, as named by us`
}
