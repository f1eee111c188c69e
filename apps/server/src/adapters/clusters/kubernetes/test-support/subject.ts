/** The driver as the contract has it: over an API, simulated or real, and a machine that really starts Pods. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createLogger } from '@wakestone/kit/logger'
import { imageName } from '../../docker/image.ts'
import { supervisorFile } from '../../fleet.ts'
import { walls } from '../../process/walls.ts'
import type { ContractSubject } from '../../test-support/contract-suite.ts'
import { makeKeys } from '../../test-support/game-bench.ts'
import { createKubernetesCluster } from '../kubernetes-cluster.ts'
import { account } from './games-namespace.ts'

const filesFile = resolve(import.meta.dirname, '../../../../../../files/build/files.mjs')

type Kubernetes = {
  kubeconfig: string
  node: { killContainer(pod: string, container: string): void; lose(): Promise<() => Promise<void>> }
  close(): Promise<void>
}

export function subjectOf(kubernetes: Kubernetes): ContractSubject {
  const dataDir = mkdtempSync(join(tmpdir(), 'wsk-'))
  const folder = join(dataDir, 'given')
  mkdirSync(folder)
  const keys = makeKeys()
  return {
    keys,
    folder,
    open: (changes = {}) =>
      createKubernetesCluster({
        id: 'tests',
        place: {
          kubeconfig: kubernetes.kubeconfig,
          namespace: account.namespace,
          image: imageName,
          storageClass: null,
          reach: 'pods',
          address: null,
          from: [],
        },
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
      kubernetes.node.killContainer(`wakestone-${serverId}-0`, 'supervisor')
    },
    loseNode: () => kubernetes.node.lose(),
    devices: 1,
    unlimited: (['memory', 'cpu'] as const).map((what) => ({ what, why: 'the simulated machine sets no limits' })),
    async close() {
      await kubernetes.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
