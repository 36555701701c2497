import { Copy } from '../platform/ui/copy'
import type { ExplorerKind } from './explorer'
import { ExplorerLink } from './explorer-link'
import { shortHash } from './short-hash'

interface HashProps {
  value: string
  /** The kind of explorer page for the value. Without this kind, the value has no link. */
  kind?: ExplorerKind
}

/** A transaction hash or a wallet address, shortened in the middle; its `title` has the full value. */
export function Hash({ value, kind }: HashProps) {
  const text = shortHash(value)
  const plain = (
    <span title={value} className="hash hash-short">
      {text}
    </span>
  )
  if (!kind) return plain
  return (
    <ExplorerLink kind={kind} value={value} title={value} className="link hash hash-short" plain={plain}>
      {text}
    </ExplorerLink>
  )
}

/** A full hash or address with a copy button (see `Copy`). `what`: its name, for the button's label. */
export function WholeHash({ value, kind, what }: HashProps & { what: string }) {
  const plain = <span className="hash min-w-0 wrap-anywhere">{value}</span>
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {kind ? (
        <ExplorerLink kind={kind} value={value} className="link hash min-w-0 wrap-anywhere" plain={plain} />
      ) : (
        plain
      )}
      <Copy text={value} what={what} quiet payable={kind === 'address' || kind === 'token'} />
    </span>
  )
}
