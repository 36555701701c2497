import { createContext } from 'react'

/**
 * The id of the request during the render of a page without the script of Remix. An error page shows this id.
 */
export const RequestId = createContext<string | undefined>(undefined)
