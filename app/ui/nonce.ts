import { createContext } from 'react'

/** The Content-Security-Policy nonce of this response. */
export const NonceContext = createContext<string | undefined>(undefined)
