import { createContext } from 'react'

/**
 * The nonce of the page's inline scripts during a render on the server. Undefined in the browser, which hides
 * nonces from the DOM so that an injected script cannot read them.
 */
export const Nonce = createContext<string | undefined>(undefined)
