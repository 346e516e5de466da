import { createContext } from 'react'

/** Allows the scripts of this one answer (Content-Security-Policy). */
export const NonceContext = createContext<string | undefined>(undefined)
