/** Further machines of clusters: how they join, and which of them has a server. */
import { createHmac, createPrivateKey, randomUUID, sign, X509Certificate } from 'node:crypto'
import type { z } from 'zod'
import type { admittedSchema, agentTokenSchema, joinAgentBody, ShownAgent } from '@wakestone/contract/admin/agents'
import { DomainError } from '@wakestone/contract/errors'
import { plainAddress } from '@wakestone/kit/plain-address'
import { keyFor } from '@wakestone/kit/seal'
import type { Secrets } from '@wakestone/kit/secrets'
import { publicUrl } from '@wakestone/kit/settings'
import { admissionOf, fingerprintOfKey, isProof, writeJoinToken } from '@wakestone/protocol/joining'
import type { AgentHomes } from '#src/adapters/clusters/agent/agent-cluster.ts'
import type { Context } from '#src/context.ts'
import { type Db, inTransaction, type Transaction } from '#src/db/client.ts'
import * as repo from './agents-repo.ts'
import type { ClusterRow } from './repo.ts'

const tokenMilliseconds = 3_600_000

type Deps = Pick<Context, 'db' | 'secrets'>
type Keys = { secrets: Pick<Secrets, 'factors' | 'supervisor'> }

/** Of a token; it is kept nowhere. */
const secretOf = ({ secrets }: Keys, tokenId: string) =>
  createHmac('sha256', keyFor(secrets.factors, 'agent-tokens')).update(tokenId).digest('base64url')

/** @throws DomainError `cluster_does_not_support_module` where the driver has no such machines */
export async function createAgentToken(
  deps: Pick<Context, 'settings' | 'secrets'>,
  trx: Transaction,
  { id: clusterId, driver }: Pick<ClusterRow, 'id' | 'driver'>,
): Promise<z.output<typeof agentTokenSchema>> {
  if (driver !== 'agent') throw new DomainError('cluster_does_not_support_module', { resource: 'cluster' })
  const id = randomUUID()
  const expiresAt = new Date(Date.now() + tokenMilliseconds)
  await repo.deleteOldAgentTokens(trx)
  await repo.insertAgentToken(trx, { id, cluster_id: clusterId, expires_at: expiresAt })
  const token = writeJoinToken({
    url: `${publicUrl(deps.settings)}/api/v1`,
    id,
    secret: secretOf(deps, id),
    key: fingerprintOfKey(deps.secrets.supervisor.publicKey),
  })
  return { token, expires_at: expiresAt.toISOString() }
}

/**
 * Takes a machine in. The same machine may ask again, since it may not have heard the answer.
 * @param ip where it comes from
 * @throws DomainError `agent_token_not_valid`, `resource_already_exists` for a name that is taken
 */
export async function joinAgent(
  deps: Deps,
  { token_id, proof, ...introduction }: z.output<typeof joinAgentBody>,
  ip: string,
): Promise<z.output<typeof admittedSchema>> {
  if (!isProof(secretOf(deps, token_id), introduction, proof) || !isCertificate(introduction.certificate))
    throw notValid()
  const { certificate, name, port } = introduction
  const id = await inTransaction(deps.db, async (trx) => {
    const token = await repo.lockAgentToken(trx, token_id)
    if (token === undefined) throw notValid()
    const before = await repo.findAgentByToken(trx, token_id)
    if (before !== undefined) {
      if (before.certificate !== certificate) throw notValid()
      return before.id
    }
    const host = introduction.host ?? plainAddress(ip)
    const agent = { id: randomUUID(), token_id, cluster_id: token.cluster_id, name, host, port, certificate }
    if (!(await repo.insertAgent(trx, agent)))
      throw new DomainError('resource_already_exists', { resource: 'cluster', field: 'name' })
    return agent.id
  })
  const { publicKey, privateKey } = deps.secrets.supervisor
  const signature = sign(null, admissionOf(id, certificate), createPrivateKey(privateKey)).toString('hex')
  return { id, public_key: publicKey, signature }
}

const notValid = () => new DomainError('agent_token_not_valid')

function isCertificate(pem: string): boolean {
  try {
    const { publicKey } = new X509Certificate(pem)
    return publicKey.asymmetricKeyType === 'ec' || publicKey.asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}

/** Of all clusters, by cluster. */
export async function showAgents(db: Db): Promise<Map<string, ShownAgent[]>> {
  const [rows, servers] = await Promise.all([repo.selectAgents(db), repo.countAgentServers(db)])
  const shown = new Map<string, ShownAgent[]>()
  for (const { id, cluster_id, name, host, port, certificate, draining, joined_at } of rows) {
    const all = shown.get(cluster_id) ?? []
    const fingerprint = new X509Certificate(certificate).fingerprint256
    all.push({
      id,
      name,
      host,
      port,
      fingerprint,
      draining,
      joined_at: joined_at.toISOString(),
      servers: servers.get(id) ?? 0,
    })
    shown.set(cluster_id, all)
  }
  return shown
}

type Named = { clusterId: string; agentId: string }

async function requireAgent(trx: Transaction, { clusterId, agentId }: Named): Promise<repo.AgentRow> {
  const agent = await repo.lockAgent(trx, agentId)
  if (agent === undefined || agent.cluster_id !== clusterId)
    throw new DomainError('resource_not_found', { resource: 'cluster', field: 'agent' })
  return agent
}

/** @throws DomainError `resource_not_found` */
export async function changeAgent(
  trx: Transaction,
  named: Named,
  change: { draining: boolean },
): Promise<repo.AgentRow> {
  const agent = await requireAgent(trx, named)
  await repo.updateAgent(trx, agent.id, change)
  return agent
}

/** @throws DomainError `resource_not_found`, `agent_has_servers` */
export async function removeAgent(trx: Transaction, named: Named): Promise<repo.AgentRow> {
  const agent = await requireAgent(trx, named)
  const servers = (await repo.countAgentServers(trx)).get(agent.id) ?? 0
  if (servers > 0) throw new DomainError('agent_has_servers', { servers })
  await repo.deleteAgent(trx, agent.id)
  return agent
}

/** Which machine of a cluster has the files of a server. */
export function createAgentHomes(db: Db, clusterId: string): AgentHomes {
  const homeOf = (serverId: string) => ({ server_id: serverId, cluster_id: clusterId })
  return {
    find: (serverId) => repo.findAgentOfServer(db, homeOf(serverId)),
    async settle(serverId, agentId) {
      await repo.insertAgentOfServer(db, { ...homeOf(serverId), agent_id: agentId })
      return (await repo.findAgentOfServer(db, homeOf(serverId))) ?? agentId
    },
    forget: (serverId) => repo.deleteAgentOfServer(db, homeOf(serverId)),
  }
}
