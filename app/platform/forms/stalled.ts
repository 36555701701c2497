import { useNavigation } from '@remix-run/react'
import { useEffect, useState } from 'react'

/** How long a page waits for an answer to Remix's request, in milliseconds. */
const patience = 15_000

/** True after a request of Remix got no answer: an extension or a filter holds `fetch` back. */
export function useStalled(): boolean {
  const { state } = useNavigation()
  const [isStalled, setStalled] = useState(false)
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setStalled(true), patience)
    return () => clearTimeout(timer)
  }, [state])
  return isStalled
}

/** Lets the links and forms of the page work as plain HTML after a request got no answer: React gets no press any more. */
export function usePlainPresses(): void {
  const isStalled = useStalled()
  useEffect(() => {
    if (!isStalled) return
    for (const type of ['click', 'submit'])
      window.addEventListener(type, (event) => event.stopImmediatePropagation(), true)
  }, [isStalled])
}
