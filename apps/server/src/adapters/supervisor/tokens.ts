/** Signs the tokens with which the control plane speaks to supervisors. */
import { createPrivateKey, sign } from 'node:crypto'
import type { SupervisorTokenClaims } from '@wakestone/protocol/tokens'

export type SupervisorSigner = (grant: { serverId: string; purpose: SupervisorTokenClaims['purpose'] }) => string

const lifetimeSeconds: Record<SupervisorTokenClaims['purpose'], number> = {
  control: 60,
  console: 60,
  thaw: 7 * 24 * 60 * 60, // lies with gateways, and is good for nothing but to let a game go on
}
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** @param privateKey PKCS8 PEM, of the key pair whose public half supervisors hold */
export function createSupervisorSigner(privateKey: string): SupervisorSigner {
  const key = createPrivateKey(privateKey)
  const header = encode({ alg: 'EdDSA', typ: 'JWT' })
  return ({ serverId, purpose }) => {
    const exp = Math.floor(Date.now() / 1000) + lifetimeSeconds[purpose]
    const claims: SupervisorTokenClaims = { aud: 'supervisor', purpose, server: serverId, exp }
    const signed = `${header}.${encode(claims)}`
    return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
  }
}
