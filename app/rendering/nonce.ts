import { createContext } from 'react'

/**
 * The nonce of the page's inline scripts, while the server renders. In the browser there is none: it hides the
 * nonce from the DOM, so that nothing injected can read it.
 */
export const Nonce = createContext<string | undefined>(undefined)
