import { useEffect, useState } from 'react'

/** Ways to sign in, as they are remembered in the browser. */
export type AuthMethod = 'local' | 'email' | 'discord' | 'passkey'

const lastKey = 'last-auth-method'
const attemptKey = 'auth-attempt'
const methods: readonly string[] = ['local', 'email', 'discord', 'passkey'] satisfies AuthMethod[]

/** Notes that somebody tries to sign in. It counts once they are signed in, maybe some pages later. */
export function noteAttempt(method: AuthMethod): void {
  try {
    sessionStorage.setItem(attemptKey, method)
  } catch {
    // Without storage nothing is marked.
  }
}

/** Somebody is signed in: what they tried is the method that worked. */
export function settleAttempt(): void {
  try {
    const method = sessionStorage.getItem(attemptKey)
    if (method === null) return
    sessionStorage.removeItem(attemptKey)
    localStorage.setItem(lastKey, method)
  } catch {
    // As above.
  }
}

function readLastMethod(): AuthMethod | null {
  try {
    const method = localStorage.getItem(lastKey)
    return method !== null && methods.includes(method) ? (method as AuthMethod) : null
  } catch {
    return null
  }
}

/** How somebody signed in last in this browser; null on the server, and until the page runs. */
export function useLastMethod(): AuthMethod | null {
  const [method, setMethod] = useState<AuthMethod | null>(null)
  useEffect(() => setMethod(readLastMethod()), [])
  return method
}
