/** The brand and constants of the specification. */

export const brand = 'Goodblock'

/** Buy and sell tax of the token, in percent. */
export const taxPercent = 5
export const copyrightYear = 2025
export const minPasswordLength = 6
export const minUsernameLength = 3

/** 'Impact Pools · Goodblock' */
export function pageTitle(name: string): string {
  return `${name} · ${brand}`
}
