import { createContext } from 'react'

/** The id of the request, while the server renders: an error page shows it, and so does the log. */
export const RequestId = createContext<string | undefined>(undefined)
