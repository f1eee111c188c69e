/** Each server is asked about at its own cluster, whose machines may change while the product runs. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { supervisorFile } from './fleet.ts'
import { createProgramCluster, type ProgramCluster } from '../../../../../tests/support/program-cluster.ts'
import type { ClusterEvent } from './cluster.ts'
import { createRoutedCluster } from './routed-cluster.ts'
import { makeKeys } from './test-support/game-bench.ts'

const limits = { memoryBytes: 512 * 1024 ** 2, cpu: 1, diskBytes: 1024 ** 3, players: 10 }
const { publicKey } = makeKeys()
let local: ProgramCluster
let crates: ProgramCluster
beforeAll(() => {
  local = createProgramCluster(publicKey)
  crates = createProgramCluster(publicKey)
  for (const cluster of [local, crates]) cluster.use(supervisorFile)
})
afterAll(() => {
  for (const cluster of [local, crates]) cluster.close()
})

test('a server is placed where it belongs; what belongs to none is done here', async () => {
  const [here, there, nobodys] = [randomUUID(), randomUUID(), randomUUID()]
  const homes = new Map<string, string>([
    [here, 'local'],
    [there, 'crates'],
  ])
  const opened: string[] = []
  const all = createRoutedCluster({
    local,
    directory: {
      clusterOf: async (serverId) => homes.get(serverId),
      list: async () => [{ id: 'crates', kind: 'docker', hosts: [] }],
    },
    open: ({ id }) => {
      opened.push(id)
      return crates
    },
  })
  const events: ClusterEvent[] = []
  const ending = new AbortController()
  const watching = (async () => {
    for await (const event of all.watch(ending.signal)) events.push(event)
  })()
  for (const serverId of [here, there]) await all.place({ serverId, limits })
  expect([local.placements(here), local.placements(there)]).toEqual([1, 0])
  expect([crates.placements(here), crates.placements(there)]).toEqual([0, 1])
  expect(await all.inspect(there)).toEqual(await crates.inspect(there))
  expect(await all.inspect(nobodys)).toEqual({ state: 'absent' })
  expect((await all.list()).toSorted()).toEqual([here, there].toSorted())
  expect([await all.of('crates'), await all.of('local')]).toEqual([crates, local])
  expect(opened).toEqual(['crates'])
  await all.remove(there)
  expect(await crates.inspect(there)).toEqual({ state: 'absent' })
  await vi.waitFor(() => expect(events.filter(({ kind }) => kind === 'listed')).toHaveLength(2), 5_000)
  ending.abort()
  await watching
})
