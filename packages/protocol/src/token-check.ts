/**
 * Checks the EdDSA tokens (JWS compact form, RFC 8037) with which the control plane speaks to what runs beside games. Done
 * by hand on `node:crypto`: a library would be loaded once per game server.
 */
import { createPublicKey, verify } from 'node:crypto'
import type { AgentTokenClaims, FilesTokenClaims, SupervisorTokenClaims } from './tokens.ts'

type Claims = { supervisor: SupervisorTokenClaims; files: FilesTokenClaims; agent: AgentTokenClaims }
const purposes: { [Audience in keyof Claims]: readonly Claims[Audience]['purpose'][] } = {
  supervisor: ['control', 'console', 'thaw'],
  files: ['control', 'read', 'upload', 'archive', 'sftp'],
  agent: ['manage', 'game'],
}

export type TokenCheck<Audience extends keyof Claims> = (
  authorization: string | undefined,
) => Claims[Audience] | undefined

/** Makes a function that returns the claims of a good `Authorization` header, and undefined for any other. */
export function createTokenCheck<Audience extends keyof Claims>(options: {
  audience: Audience
  /** SPKI PEM. */
  publicKey: string
  serverId: string
}): TokenCheck<Audience> {
  const { audience, serverId } = options
  const key = createPublicKey(options.publicKey)
  const verified = new Map<string, Claims[Audience]>()

  function check(token: string): Claims[Audience] | undefined {
    const [header, payload, signature, ...rest] = token.split('.')
    if (!header || !payload || !signature || rest.length > 0) return undefined
    try {
      const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg?: unknown }
      if (alg !== 'EdDSA') return undefined
      if (!verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))) return undefined
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims[Audience]
      if (claims.aud !== audience || claims.server !== serverId) return undefined
      if (!(purposes[audience] as readonly string[]).includes(claims.purpose)) return undefined
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
