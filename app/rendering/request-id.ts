import { createContext } from 'react'

/** The id of the request during a server render: an error page shows it, and the log has it. */
export const RequestId = createContext<string | undefined>(undefined)
