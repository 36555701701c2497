import { msg } from '@lingui/core/macro'
import type { Text } from '../locales/i18n'

interface Link {
  to: string
  label: Text
}

/** The links of the navigation bar and of the footer. */
export const navigation: readonly Link[] = [
  { to: '/', label: msg({ message: 'Home', comment: 'Link to the first page, in the bar' }) },
  { to: '/cz-call', label: 'CZ Call' },
  { to: '/voting', label: msg`Impact Pools` },
  { to: '/giveback', label: 'FundMe' },
  { to: '/transparency', label: msg`Transparency` },
  {
    to: '/about',
    label: msg({ message: 'About', comment: 'Link to the page about the project, in the bar' }),
  },
]

/** The link that replaces 'Donate' while no wallet accepts gifts. */
export const tellMe = msg({
  message: 'Tell me when it opens',
  comment: 'A button in place of Donate. At most 24 characters',
})

/** Where `tellMe` leads: to following by email, or without a mail service to the ledger's feed. */
export function tellMePath(follows: boolean): string {
  return follows ? '/follow?topic=opens' : '/donate'
}

/** The legal pages, which the footer lists. */
export const smallPrint = [
  { to: '/risk', label: msg`Risk and scam warning` },
  { to: '/privacy', label: msg`Privacy and cookies` },
  { to: '/terms', label: msg`Terms` },
  { to: '/contact', label: msg`Contact` },
] as const satisfies readonly Link[]
