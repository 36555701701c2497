/** The brand, constants of the specification, and the links of the navigation and of the footer. */

export const brand = 'Goodblock'

export const navigation = [
  { to: '/', label: 'Home' },
  { to: '/cz-call', label: 'CZ Call' },
  { to: '/voting', label: 'Impact Pools' },
  { to: '/giveback', label: 'FundMe' },
  { to: '/transparency', label: 'Transparency' },
  { to: '/about', label: 'About' },
] as const

/** In place of 'Donate' while there is no wallet for gifts. */
export const opensLater = 'Opens with the token'

/** Buy and sell tax of the token, in percent. */
export const taxPercent = 5
export const copyrightYear = 2025
export const minPasswordLength = 6
export const minUsernameLength = 3

/** 'Impact Pools · Goodblock' */
export function pageTitle(name: string): string {
  return `${name} · ${brand}`
}

/** The legal pages, which the footer lists. */
export const smallPrint = [
  { to: '/risk', label: 'Risk and scam warning' },
  { to: '/privacy', label: 'Privacy and cookies' },
  { to: '/terms', label: 'Terms' },
  { to: '/contact', label: 'Contact' },
] as const
