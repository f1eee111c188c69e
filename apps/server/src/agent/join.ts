/** Has this machine join a control plane, by the token that was made there. */
import { hostname } from 'node:os'
import { admittedSchema } from '@wakestone/contract/admin/agents'
import { checkAdmission, type Introduction, proofOf, readJoinToken } from '@wakestone/protocol/joining'
import { makeCertificate } from './certificate.ts'
import { type Identity, keepIdentity, readIdentity } from './identity.ts'

const PATIENCE_MS = 30_000
const MOST_ANSWER = 16 * 1024

/** What a machine may be called. */
export const nameFrom = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 40)
    .replace(/[.-]+$/, '') || 'machine'

/**
 * @param host where the control plane and gateways reach this machine; undefined: at the address that they see
 * @throws Error that says what to do
 */
export async function joinCluster(
  dataDir: string,
  { token: text, host, port, name = hostname() }: { token: string; host?: string; port: number; name?: string },
): Promise<Identity> {
  const token = readJoinToken(text)
  const before = readIdentity(dataDir)
  if (before?.token === token.id) return before // the same command again
  if (before !== undefined)
    throw new Error(`this machine has joined already; to have it join anew, move ${dataDir}/agent away first`)
  const { key, certificate } = await makeCertificate('wakestone agent')
  const introduction: Introduction = { name: nameFrom(name), host: host ?? null, port, certificate }
  const response = await fetch(`${token.url}/agents/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token_id: token.id, ...introduction, proof: proofOf(token.secret, introduction) }),
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const said = (await response.text()).slice(0, MOST_ANSWER)
  if (!response.ok) throw new Error(`the panel at ${token.url} refuses: ${faultOf(said) ?? response.status}`)
  const admitted = admittedSchema.parse(JSON.parse(said))
  checkAdmission(token, certificate, admitted)
  const identity: Identity = { id: admitted.id, token: token.id, key, certificate, publicKey: admitted.public_key }
  keepIdentity(dataDir, identity)
  return identity
}

const faults: Record<string, string> = {
  agent_token_not_valid: 'the token is used or too old; have another one made',
  resource_already_exists: 'a machine of the cluster has that name; give another one with --name',
}

function faultOf(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: string }
    return error === undefined ? undefined : (faults[error] ?? error)
  } catch {
    return undefined
  }
}
