/** The brand and constants of the specification. */

/** After a change run `npm run brand`, which writes it into the files that cannot import it. */
export const brand = 'Goodblock'

/** A brand as a word of file names and of programs: 'harbor-aid'. */
export function wordOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}

/** The tax on buying and selling the token, in percent. */
export const taxPercent = 5
export const copyrightYear = 2025
export const minPasswordLength = 6
export const minUsernameLength = 3

/** The title of a page with the brand: 'Impact Pools · Brand'. */
export function pageTitle(name: string): string {
  return `${name} · ${brand}`
}
