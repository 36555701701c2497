import { createContext } from 'react'

/** The request's id in the render of a page without Remix's script; an error page shows it. */
export const RequestId = createContext<string | undefined>(undefined)
