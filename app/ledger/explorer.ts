import { findChain } from '../platform/chains'
import type { Config } from '../platform/server/env.server'

/** The explorer's URL; null for an unknown chain without EXPLORER_URL, and in the demonstration. */
export type Explorer = string | null

export type ExplorerKind = 'tx' | 'address' | 'token' | 'block'

export function explorerOf(config: Pick<Config, 'DEMO' | 'EXPLORER_URL' | 'CHAIN_ID'>): Explorer {
  const url = config.EXPLORER_URL ?? findChain(config.CHAIN_ID)?.explorer
  return config.DEMO || !url ? null : url.replace(/\/+$/, '')
}

/**
 * The explorer's page about a transaction, an address, the token or a block. In the demonstration, a
 * transaction or an address links to its rows in this ledger, and the token and a block have no link.
 */
export function explorerLink(explorer: Explorer, kind: ExplorerKind, value: string): string | null {
  if (explorer) return `${explorer}/${kind}/${value}`
  return kind === 'tx' || kind === 'address' ? `/transparency?q=${value}#history` : null
}
