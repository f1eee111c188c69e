/** Signs the tokens with which the control plane speaks to supervisors, files services and agents: one key, audiences keep them apart. */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { AgentTokenClaims, FilesTokenClaims, SupervisorTokenClaims } from '@wakestone/protocol/tokens'

export type SupervisorSigner = (grant: { serverId: string; purpose: SupervisorTokenClaims['purpose'] }) => string

const lifetimeSeconds: Record<SupervisorTokenClaims['purpose'], number> = {
  control: 60,
  console: 60,
  thaw: 7 * 24 * 60 * 60, // lies with gateways, and is good for nothing but to let a game go on
}
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encode({ alg: 'EdDSA', typ: 'JWT' })

function signClaims(key: KeyObject, claims: SupervisorTokenClaims | FilesTokenClaims | AgentTokenClaims): string {
  const signed = `${header}.${encode(claims)}`
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

/** @param privateKey PKCS8 PEM, of the key pair whose public half supervisors hold */
export function createSupervisorSigner(privateKey: string): SupervisorSigner {
  const key = createPrivateKey(privateKey)
  return ({ serverId, purpose }) =>
    signClaims(key, { aud: 'supervisor', purpose, server: serverId, exp: inSeconds(lifetimeSeconds[purpose]) })
}

/** For one request, which begins within a minute. */
export type FilesSigner = (serverId: string, purpose: FilesTokenClaims['purpose']) => string

/** @param privateKey the same one */
export function createFilesSigner(privateKey: string): FilesSigner {
  const key = createPrivateKey(privateKey)
  return (serverId, purpose) => signClaims(key, { aud: 'files', purpose, server: serverId, exp: inSeconds(60) })
}

export type AgentSigner = {
  /** For one request to the agent of this id, which begins within a minute. */
  manage(agentId: string): string
  /** For ways to the game of a server. It lies with gateways, and is good for nothing else. */
  game(serverId: string): string
}

/** @param privateKey the same one */
export function createAgentSigner(privateKey: string): AgentSigner {
  const key = createPrivateKey(privateKey)
  return {
    manage: (agentId) => signClaims(key, { aud: 'agent', purpose: 'manage', server: agentId, exp: inSeconds(60) }),
    game: (serverId) =>
      signClaims(key, { aud: 'agent', purpose: 'game', server: serverId, exp: inSeconds(lifetimeSeconds.thaw) }),
  }
}
