import { createContext } from 'react'

/** Nonce of this page's scripts. Only the server knows it; browsers hide it from scripts. */
export const NonceContext = createContext<string | undefined>(undefined)
