import { type ReactNode, startTransition, useLayoutEffect, useSyncExternalStore } from 'react'
import { hydrateRoot } from 'react-dom/client'

let isHydrated = false
const subscribe = () => () => {}
const never = new Promise<never>(() => {})

/**
 * Hydrates `part`, or keeps its HTML, whose forms work without React, if React would render anything else: an
 * extension has changed the part, or it is of an older build. React 18 would render the part again, without what
 * was typed there, and remove it if that fails.
 */
export function hydrate(part: Element, page: ReactNode): void {
  const listeners: Parameters<Element['addEventListener']>[] = []
  const listen = () => {
    Reflect.deleteProperty(part, 'addEventListener')
    for (const listener of listeners) part.addEventListener(...listener)
  }
  // An event would turn the transition into a render that must not suspend, so React gets events after it.
  part.addEventListener = (...listener: Parameters<Element['addEventListener']>) => {
    listeners.push(listener)
  }
  startTransition(() => {
    hydrateRoot(part, <Hydrated onDone={listen}>{page}</Hydrated>)
  })
}

function Hydrated({ onDone, children }: { onDone: () => void; children: ReactNode }) {
  // Only a render that hydrates reads the third value.
  const isKept = useSyncExternalStore(
    subscribe,
    () => isHydrated,
    () => true,
  )
  useLayoutEffect(() => {
    isHydrated = true
    followMovedNodes()
    onDone()
  }, [onDone])
  // A transition that suspends outside of all boundaries changes nothing in the document.
  if (!isKept) throw never
  return children
}

/**
 * Lets React change a page whose nodes an extension or a translation has wrapped, replaced or removed. The DOM's
 * methods throw if a node is not where React has put it, and React 18 then shows the error page.
 */
function followMovedNodes(): void {
  const { insertBefore, removeChild } = Node.prototype
  const replace = (name: string, value: unknown) => Reflect.defineProperty(Node.prototype, name, { value })
  replace('insertBefore', function (this: Node, node: Node, next: Node | null) {
    let place = next
    while (place && place.parentNode !== this) place = place.parentNode
    return insertBefore.call(this, node, place)
  })
  replace('removeChild', function (this: Node, node: ChildNode) {
    if (node.parentNode === this) return removeChild.call(this, node)
    node.remove()
    return node
  })
}
