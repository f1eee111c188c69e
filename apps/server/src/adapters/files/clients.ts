/** Clients of the files services of all servers, which come up when they are asked for something. */
import type { Cluster, FilesEndpoint, Workload } from '#src/adapters/clusters/cluster.ts'
import { createFilesSigner } from '#src/adapters/supervisor/tokens.ts'
import { createFilesClient, type FilesClient } from './client.ts'
import { FilesError } from './errors.ts'

/** So long nobody asks the driver again where a service is; one that has gone meanwhile is noticed. */
const knownMilliseconds = 20_000
const kept = 2_000

type Known = { client: FilesClient; setLimits(limits: Workload['limits']): void }

export function createFilesClients({
  cluster,
  privateKey,
  closing,
}: {
  cluster: Pick<Cluster, 'openFiles'>
  privateKey: string
  closing: AbortSignal
}): (server: Workload) => FilesClient {
  const sign = createFilesSigner(privateKey)
  const clients = new Map<string, Known>()

  function create(serverId: string, first: Workload['limits']): Known {
    let limits = first
    let known: { endpoint: Promise<FilesEndpoint>; until: number } | undefined
    const open = () => {
      const endpoint = cluster.openFiles(serverId, limits).catch((error: unknown) => {
        known = undefined
        throw new FilesError('unreached', 'no files service', { cause: error })
      })
      known = { endpoint, until: Date.now() + knownMilliseconds }
      return endpoint
    }
    return {
      setLimits: (next) => void (limits = next),
      client: createFilesClient({
        serverId,
        sign,
        closing,
        locate: (again) => (known === undefined || again || known.until < Date.now() ? open() : known.endpoint),
      }),
    }
  }

  return ({ serverId, limits }) => {
    let known = clients.get(serverId)
    if (known === undefined) {
      if (clients.size >= kept) clients.clear() // what is under way goes on
      clients.set(serverId, (known = create(serverId, limits)))
    }
    known.setLimits(limits)
    return known.client
  }
}
