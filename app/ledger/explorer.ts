import type { Config } from '../server/env.server'

/** The block explorer's address, or null where nothing on a page is on a chain (the demonstration). */
export type Explorer = string | null

export function explorerOf(config: Pick<Config, 'DEMO' | 'EXPLORER_URL'>): Explorer {
  return config.DEMO ? null : config.EXPLORER_URL.replace(/\/+$/, '')
}

/** The explorer's page about a transaction, an address, the token or a block. */
export function explorerLink(
  explorer: Explorer,
  kind: 'tx' | 'address' | 'token' | 'block',
  value: string,
): string | null {
  return explorer && `${explorer}/${kind}/${value}`
}
