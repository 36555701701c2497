import { createContext } from 'react'

/**
 * The id of the request during the render of a page without Remix's script. An error page shows this id.
 */
export const RequestId = createContext<string | undefined>(undefined)
