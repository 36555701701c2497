import { createContext } from 'react'

/** The id of the request while a page without framework script is rendered: an error page shows it. */
export const RequestId = createContext<string | undefined>(undefined)
