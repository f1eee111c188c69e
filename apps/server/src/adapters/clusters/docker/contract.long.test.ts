/** The driver of container engines does what every driver has to do, by the API of a real Podman, or of `TEST_ENGINE`. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createLogger } from '@wakestone/kit/logger'
import { supervisorFile } from '../fleet.ts'
import { walls } from '../process/walls.ts'
import { type ContractSubject, describeContract } from '../test-support/contract-suite.ts'
import { makeKeys } from '../test-support/game-bench.ts'
import { createDockerCluster } from './docker-cluster.ts'
import { createNames } from './names.ts'
import { clean, findPodmanFault, openPodman } from './test-support/podman.ts'

const filesFile = resolve(import.meta.dirname, '../../../../../files/build/files.mjs')

describeContract('docker', findPodmanFault(), async (): Promise<ContractSubject> => {
  const podman = await openPodman()
  const dataDir = mkdtempSync(join(tmpdir(), 'wsd-'))
  const folder = join(dataDir, 'given')
  mkdirSync(folder)
  const keys = makeKeys()
  return {
    keys,
    folder,
    open: (changes = {}) =>
      createDockerCluster({
        id: 'tests',
        hosts: [{ name: 'here', url: podman.url, address: '127.0.0.1', refused: [] }],
        dataDir,
        supervisorFile,
        filesFile,
        mayMiss: walls,
        network: { internet: true, reachable: [], resolvers: [] },
        publicKey: keys.publicKey,
        logger: createLogger({ part: 'test', level: 'silent' }),
        ...changes,
      }),
    async killSupervisor(serverId) {
      const query = { signal: 'SIGKILL' }
      await podman.engine.call('POST', `/containers/wakestone-${serverId}/kill`, { query })
    },
    /** Nobody answers there any more, whatever its containers do. */
    async loseNode() {
      await podman.stop()
      return podman.start
    },
    unlimited: [],
    async close() {
      await clean(podman.engine, createNames({ installation: keys.publicKey, clusterId: 'tests' }))
      await podman.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
})
