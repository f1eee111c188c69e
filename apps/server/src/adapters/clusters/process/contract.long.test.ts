/** The driver of this machine's processes does what every driver has to do. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { supervisorFile } from '../fleet.ts'
import { type ContractSubject, describeContract } from '../test-support/contract-suite.ts'
import { makeKeys } from '../test-support/game-bench.ts'
import { findCgroupFault } from './cgroup.ts'
import { runtimeRoot, serverPaths } from './paths.ts'
import { findSandbox } from './placement.ts'
import { createProcessCluster } from './process-cluster.ts'
import { findFirstChild, isAlive, waitUntil } from './processes.ts'
import { walls } from './walls.ts'

const filesFile = resolve(import.meta.dirname, '../../../../../files/build/files.mjs')

describeContract('process', undefined, async (): Promise<ContractSubject> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'wsb-'))
  const folder = join(dataDir, 'given')
  mkdirSync(folder)
  loadSecrets(dataDir)
  const keys = makeKeys()
  const cgroupFault = findCgroupFault()
  const sandboxOf = (serverId: string) => findSandbox(serverPaths(dataDir, serverId))

  async function kill(pid: number | undefined) {
    if (pid === undefined) throw new Error('nothing is up')
    process.kill(pid, 'SIGKILL')
  }
  return {
    keys,
    folder,
    open: (changes = {}) =>
      createProcessCluster({
        dataDir,
        supervisorFile,
        filesFile,
        nodePath: process.execPath,
        bwrapPath: 'bwrap',
        allowUnsandboxed: false,
        mayMiss: walls,
        network: { internet: true, reachable: [], resolvers: [] },
        publicKey: keys.publicKey,
        logger: createLogger({ part: 'test', level: 'silent' }),
        ...changes,
      }),
    async killSupervisor(serverId) {
      const { init } = sandboxOf(serverId) ?? {}
      await kill(init && findFirstChild(init.pid))
    },
    /** Its power fails: all of its processes end, and when it starts again their numbers mean nothing. */
    async loseNode(serverId) {
      const { init } = sandboxOf(serverId) ?? {}
      await kill(init?.pid)
      await waitUntil(() => init !== undefined && !isAlive(init), 10_000)
      const { placement } = serverPaths(dataDir, serverId)
      const record = JSON.parse(readFileSync(placement, 'utf8'))
      writeFileSync(placement, JSON.stringify({ ...record, bootId: 'the one before' }))
      return async () => {}
    },
    unlimited:
      cgroupFault === undefined
        ? []
        : (['memory', 'processes', 'cpu'] as const).map((what) => ({ what, why: cgroupFault })),
    async close() {
      rmSync(dataDir, { recursive: true, force: true })
      rmSync(runtimeRoot(dataDir), { recursive: true, force: true })
    },
  }
})
