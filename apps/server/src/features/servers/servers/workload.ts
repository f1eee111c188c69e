import type { Product } from '@wakestone/contract/sales/product'
import type { Workload } from '#src/adapters/clusters/cluster.ts'
import type { ServerRow } from './repo.ts'

/** What a driver of clusters is told of a server: its plan. */
export function workloadOf({ id, limits }: Pick<ServerRow, 'id' | 'limits'>): Workload {
  const { memory, cpu, storage, players, mysql } = limits as Product['parameters']
  return { serverId: id, limits: { memoryBytes: memory, cpu, diskBytes: storage, players, mysqlBytes: mysql || null } }
}
