/** The brand and constants of the specification. */

export const brand = 'Goodblock'

/** The tax on buying and selling the token, in percent. */
export const taxPercent = 5
export const copyrightYear = 2025
export const minPasswordLength = 6
export const minUsernameLength = 3

/** The title of a page with the brand: 'Impact Pools · Goodblock'. */
export function pageTitle(name: string): string {
  return `${name} · ${brand}`
}
