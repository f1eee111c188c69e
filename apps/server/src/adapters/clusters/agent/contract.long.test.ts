/** The driver of further machines does what every driver has to do, by an agent in this process, over TLS. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createLogger } from '@wakestone/kit/logger'
import { makeCertificate } from '#src/agent/certificate.ts'
import { serveAgent } from '#src/agent/server.ts'
import type { Cluster } from '../cluster.ts'
import { supervisorFile } from '../fleet.ts'
import { findCgroupFault } from '../process/cgroup.ts'
import { runtimeRoot, serverPaths } from '../process/paths.ts'
import { findSandbox } from '../process/placement.ts'
import { createProcessCluster } from '../process/process-cluster.ts'
import { findFirstChild } from '../process/processes.ts'
import { walls } from '../process/walls.ts'
import { type ContractSubject, describeContract } from '../test-support/contract-suite.ts'
import { makeKeys } from '../test-support/game-bench.ts'
import { createAgentCluster } from './agent-cluster.ts'

const filesFile = resolve(import.meta.dirname, '../../../../../files/build/files.mjs')
const logger = createLogger({ part: 'test', level: 'silent' })

describeContract('agent', undefined, async (): Promise<ContractSubject> => {
  const [panelDir, machineDir] = ['wsp-', 'wsm-'].map((name) => mkdtempSync(join(tmpdir(), name))) as [string, string]
  const folder = join(panelDir, 'given')
  mkdirSync(folder)
  const keys = makeKeys()
  const { key, certificate } = await makeCertificate('wakestone agent')
  const identity = { id: randomUUID(), token: randomUUID(), key, certificate, publicKey: keys.publicKey }
  const cgroupFault = findCgroupFault()
  const homes = new Map<string, string>()

  const processes = (changes: { supervisorFile?: string } = {}): Cluster =>
    createProcessCluster({
      dataDir: machineDir,
      supervisorFile,
      filesFile,
      nodePath: process.execPath,
      bwrapPath: 'bwrap',
      allowUnsandboxed: false,
      mayMiss: walls,
      network: { internet: true, reachable: [], resolvers: [] },
      publicKey: keys.publicKey,
      logger,
      ...changes,
    })

  async function serve(cluster: Cluster, port = 0) {
    const listen = { host: '127.0.0.1', port }
    return serveAgent({ cluster, dataDir: machineDir, identity, listen, logger })
  }
  let agent = await serve(processes())
  const { port } = agent

  const reach = (at: number) =>
    createAgentCluster({
      id: 'tests',
      machines: [{ id: identity.id, name: 'there', host: '127.0.0.1', port: at, certificate, draining: false }],
      homes: {
        find: async (serverId) => homes.get(serverId),
        settle: async (serverId, agentId) => {
          if (!homes.has(serverId)) homes.set(serverId, agentId)
          return homes.get(serverId) as string
        },
        forget: async (serverId) => void homes.delete(serverId),
      },
      dataDir: panelDir,
      privateKey: keys.privateKey,
      internet: true,
      logger,
    })

  return {
    keys,
    folder,
    /** Another version is that of the agent: it is begun anew in the place of the one before. */
    open(changes = {}) {
      if (changes.supervisorFile === undefined) return reach(port)
      const begun = (async () => {
        await agent.close()
        agent = await serve(processes(changes), port)
      })()
      const cluster = reach(port)
      return { ...cluster, place: async (workload) => (await begun, cluster.place(workload)) }
    },
    async killSupervisor(serverId) {
      const { init } = findSandbox(serverPaths(machineDir, serverId)) ?? {}
      const pid = init && findFirstChild(init.pid)
      if (pid === undefined) throw new Error('nothing is up')
      process.kill(pid, 'SIGKILL')
    },
    /** Nobody answers there any more, whatever runs on it. */
    async loseNode() {
      await agent.close()
      return async () => void (agent = await serve(processes(), port))
    },
    unlimited:
      cgroupFault === undefined
        ? []
        : (['memory', 'processes', 'cpu'] as const).map((what) => ({ what, why: cgroupFault })),
    async close() {
      await agent.close()
      for (const dir of [panelDir, machineDir, runtimeRoot(machineDir)]) rmSync(dir, { recursive: true, force: true })
    },
  }
})
