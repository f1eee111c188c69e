/**
 * Checks the EdDSA tokens (JWS compact form, RFC 8037) with which the control plane speaks. Done by hand on
 * `node:crypto`: a library would be loaded once per game server.
 */
import { createPublicKey, verify } from 'node:crypto'
import type { SupervisorTokenClaims } from '@wakestone/protocol/tokens'

export type TokenVerifier = (authorization: string | undefined) => SupervisorTokenClaims | undefined

/** Makes a function that returns the claims of a good `Authorization` header, and undefined for any other. */
export function createTokenVerifier({ publicKey, serverId }: { publicKey: string; serverId: string }): TokenVerifier {
  const key = createPublicKey(publicKey)
  const verified = new Map<string, SupervisorTokenClaims>()

  function check(token: string): SupervisorTokenClaims | undefined {
    const [header, payload, signature, ...rest] = token.split('.')
    if (!header || !payload || !signature || rest.length > 0) return undefined
    try {
      const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg?: unknown }
      if (alg !== 'EdDSA') return undefined
      if (!verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))) return undefined
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as SupervisorTokenClaims
      if (claims.aud !== 'supervisor' || claims.server !== serverId) return undefined
      if (!['control', 'console', 'thaw'].includes(claims.purpose)) return undefined
      return Number.isInteger(claims.exp) ? claims : undefined
    } catch {
      return undefined
    }
  }

  return (authorization) => {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? '')?.[1]
    if (!token) return undefined
    let claims = verified.get(token)
    if (!claims) {
      claims = check(token)
      if (!claims) return undefined
      if (verified.size > 100) verified.clear()
      verified.set(token, claims)
    }
    return claims.exp > Date.now() / 1000 ? claims : undefined
  }
}
