/**
 * A further machine: how it joins and who is refused, what the control plane has done there, and that it is missed and
 * found again. Its agent serves the driver of processes over TLS; `agent/contract.long.test.ts` tries that driver whole.
 */
import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as clusters from '@wakestone/contract/admin/clusters-routes'
import { acquirePort } from '@wakestone/contract/servers/ports-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { type Introduction, proofOf, readJoinToken, writeJoinToken } from '@wakestone/protocol/joining'
import { openTunnel } from '@wakestone/protocol/tunnel'
import { createAgentSigner } from '../../apps/server/src/adapters/supervisor/tokens.ts'
import { makeKeys } from '../../apps/server/src/adapters/clusters/test-support/game-bench.ts'
import { makeCertificate } from '../../apps/server/src/agent/certificate.ts'
import { joinCluster } from '../../apps/server/src/agent/join.ts'
import { makeJoinToken, openAgentCluster, startTestAgent } from '../support/agents.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { isLong } from '../support/long.ts'
import { outcomeOf } from '../support/outcome.ts'
import { order, prepareArtifacts, topUp } from '../support/servers.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const MIB = 1024 ** 2
const limits = { memoryBytes: 384 * MIB, cpu: 1, diskBytes: 1024 ** 3, players: 10 }
const params = { clusterId: 'far' }
let api: TestApi
let admin: Caller
let agent: Awaited<ReturnType<typeof startTestAgent>>
let token: string
let serverId: string
let walletId: string

beforeAll(async () => {
  api = await startTestApi()
  admin = await api.signUp({ admin: true })
  await openAgentCluster(admin)
  token = await makeJoinToken(api, admin)
  agent = await startTestAgent(token)
  const { engineVersion } = await prepareArtifacts(api)
  walletId = await topUp(api.context, admin, 5000)
  const body = order(walletId, engineVersion, { cluster_id: 'far' })
  serverId = (await admin.call(routes.createServer, { body })).id
})
afterAll(async () => {
  await agent?.close()
  await api?.close()
})

const fleet = () => api.context.fleet
const show = async () => (await admin.call(clusters.listAdminClusters, {})).find(({ id }) => id === 'far')!

test('a token is good for one machine, for nobody without its secret, and only from whom it names', async () => {
  const shown = (await show()).agents
  expect(shown).toEqual([expect.objectContaining({ name: 'crate', host: '127.0.0.1', port: agent.port, servers: 0 })])
  await expect(startTestAgent(token, 'second')).rejects.toThrow('used or too old')

  const fresh = readJoinToken(await makeJoinToken(api, admin))
  const { certificate } = await makeCertificate('somebody')
  const introduction: Introduction = { name: 'third', host: '127.0.0.1', port: 8470, certificate }
  const send = (proof: string, told: Introduction) =>
    api.anonymous(clusters.joinAgent, { body: { token_id: fresh.id, ...told, proof } })
  const notValid = { body: { error: 'agent_token_not_valid' } }
  await expect(send(proofOf('x'.repeat(43), introduction), introduction)).rejects.toMatchObject(notValid)
  // What was proved is all of what is said: another certificate is refused.
  const other = { ...introduction, certificate: (await makeCertificate('another')).certificate }
  await expect(send(proofOf(fresh.secret, introduction), other)).rejects.toMatchObject(notValid)
  await api.context.db
    .updateTable('agent_tokens')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', fresh.id)
    .execute()
  await expect(send(proofOf(fresh.secret, introduction), introduction)).rejects.toMatchObject(notValid)

  // Somebody in between who answers with a key of theirs.
  const named = readJoinToken(await makeJoinToken(api, admin))
  const forged = writeJoinToken({ ...named, key: '0'.repeat(64) })
  await expect(
    joinCluster(`${agent.dataDir}/none`, { token: forged, host: '127.0.0.1', port: 8470, name: 'fourth' }),
  ).rejects.toThrow('somebody stands in between')
  await removeMachine('fourth')
  expect((await show()).agents).toHaveLength(1)
})

async function removeMachine(name: string) {
  const { id: agentId } = (await show()).agents!.find((one) => one.name === name)!
  await admin.call(clusters.removeAgent, { params: { ...params, agentId } })
}

test('it takes servers: their supervisors, tasks and files are reached through it', async () => {
  expect(await admin.call(clusters.checkCluster, { params })).toMatchObject({ ok: true })
  const { cluster } = fleet()
  expect(await cluster.inspect(serverId)).toEqual({ state: 'absent' })
  const placed = await cluster.place({ serverId, limits })
  expect(placed.endpoint.kind).toBe('agent')
  expect(await agent.cluster.inspect(serverId)).toMatchObject({ state: 'running', game: { port: placed.game.port } })
  expect(await fleet().connect(serverId, placed).status()).toMatchObject({ phase: 'empty' })
  const stream = await fleet().connect(serverId, placed).openStream()
  stream.close()

  const task = {
    name: 'try',
    command: ['/bin/sh', '-c', 'cat /opt/wakestone/tools/note; cat > /data/told.txt; exit 3'],
    volume: 'write' as const,
    network: 'none' as const,
    memoryBytes: 256 * MIB,
    stdin: 'by its input',
    tools: { note: `${import.meta.dirname}/agents.test.ts` },
  }
  const { lines, exit } = await cluster.runTask(serverId, task)
  const heard: string[] = []
  for await (const line of lines) heard.push(line.text)
  expect(heard).toContain(
    ' * A further machine: how it joins and who is refused, what the control plane has done there, and that it is missed and',
  )
  expect(await exit).toEqual({ code: 3, signal: null, outOfMemory: false })
  const listed = await text(await fleet().files({ serverId, limits }).list('', { hidden: false }))
  expect(listed).toContain('told.txt')
  expect((await show()).agents).toEqual([expect.objectContaining({ servers: 1 })])
  const agentId = agent.identity.id
  await expect(admin.call(clusters.removeAgent, { params: { ...params, agentId } })).rejects.toMatchObject({
    body: { error: 'agent_has_servers' },
  })
})

test('nobody is led anywhere without a ticket for just that', async () => {
  const way = (await fleet().grantWay(serverId))!
  const open = (ticket: string, to: 'supervisor' | 'files' | 'game', id = serverId) =>
    openTunnel(way.agent, { serverId: id, to, ticket })
  // Nothing listens there yet: the ticket is good, and there is no game.
  await expect(open(way.ticket, 'game')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  const refused = { code: 'EACCES' }
  await expect(open(way.ticket, 'supervisor')).rejects.toMatchObject(refused)
  await expect(open(way.ticket, 'files')).rejects.toMatchObject(refused)
  await expect(open(way.ticket, 'game', randomUUID())).rejects.toMatchObject(refused)
  const sign = createAgentSigner(makeKeys().privateKey)
  await expect(open(sign.game(serverId), 'game')).rejects.toMatchObject(refused)
  const { privateKey } = api.context.secrets.supervisor
  await expect(open(createAgentSigner(privateKey).manage(agent.identity.id), 'game')).rejects.toMatchObject(refused)

  // Who has another certificate is not the agent, however they answer.
  const { certificate } = await makeCertificate('wakestone agent')
  await expect(
    openTunnel({ ...way.agent, certificate }, { serverId, to: 'game', ticket: way.ticket }),
  ).rejects.toMatchObject({ code: expect.stringMatching(/CERT|SELF_SIGNED|ERR_TLS/) })

  const bare = await new Promise<string>((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port: agent.port, rejectUnauthorized: false }, () =>
      socket.write('POST /v1/list HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'),
    )
    socket.once('data', (data) => resolve(data.toString()))
    socket.once('error', reject)
  })
  expect(bare).toContain('401')
})

test('what no agent leads on is not sold there', async () => {
  const bedrock = { engine: 'serenity', game: 'minecraft-bedrock', cluster_id: 'far' } as const
  const ordered = admin.call(routes.createServer, { body: order(walletId, '1.26.20', bedrock) })
  expect(await outcomeOf(ordered)).toBe('cluster_does_not_support_module')
  const taken = admin.call(acquirePort, { params: { id: serverId }, body: { name: 'voice' } })
  expect(await outcomeOf(taken)).toBe('cluster_does_not_support_module')
})

test.runIf(isLong)('one that is away is missed, and its servers are found again as they were', async () => {
  const { cluster } = fleet()
  const before = await cluster.inspect(serverId)
  const ending = new AbortController()
  const events: string[] = []
  const watching = (async () => {
    for await (const event of (await fleet().clusterOf('far')).watch(ending.signal)) events.push(event.kind)
  })()
  await vi.waitFor(() => expect(events).toEqual(['listed']), 10_000)
  await agent.stop()
  expect(await cluster.inspect(serverId)).toEqual({ state: 'lost', node: 'crate' })
  await expect(cluster.place({ serverId, limits })).rejects.toThrow('not reached')
  expect((await show()).nodes).toEqual([{ name: 'crate', answers: false, placed: 0 }])
  expect(await fleet().grantWay(serverId)).toBeDefined() // players are led there as soon as it is back
  await agent.begin()
  expect(await cluster.inspect(serverId)).toEqual(before)
  await vi.waitFor(() => expect(events).toEqual(['listed', 'listed']), 10_000)
  ending.abort()
  await watching
})

test.runIf(isLong)('one that is drained keeps its servers, and takes no others', async () => {
  const agentId = agent.identity.id
  const changed = await admin.call(clusters.changeAgent, { params: { ...params, agentId }, body: { draining: true } })
  expect(changed.agents).toEqual([expect.objectContaining({ draining: true })])
  const cluster = await fleet().clusterOf('far')
  expect(await cluster.place({ serverId, limits })).toMatchObject({ state: 'running' })
  await expect(cluster.place({ serverId: randomUUID(), limits })).rejects.toThrow('takes servers')
  await cluster.remove(serverId, { volume: 'delete' })
  expect(await agent.cluster.list()).toEqual([])
  await admin.call(clusters.removeAgent, { params: { ...params, agentId } })
  expect((await show()).agents).toEqual([])
})
