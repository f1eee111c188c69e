/** Volumes of servers: claims that belong to nothing, so that nothing takes them along. */
import { setTimeout as delay } from 'node:timers/promises'
import type { V1PersistentVolumeClaim } from '@kubernetes/client-node'
import { type Api, ApiRefusal, create, orNothing } from './api.ts'
import { label, type Names } from './names.ts'
import type { KubernetesPlace } from './options.ts'
import { unlessGone } from './pods.ts'

/** For snapshots and what a file system takes itself. */
const HEADROOM = { share: 0.05, bytes: 256 * 1024 ** 2 }
const GONE_MS = 60_000
const GROWN_MS = 60_000

const roomFor = (diskBytes: number) => Math.ceil(diskBytes * (1 + HEADROOM.share) + HEADROOM.bytes)
export const claimSize = (diskBytes: number) => `${Math.ceil(roomFor(diskBytes) / 1024 ** 2)}Mi`

export const findClaim = ({ core, namespace, ask }: Api, name: string): Promise<V1PersistentVolumeClaim | undefined> =>
  orNothing(ask(core.readNamespacedPersistentVolumeClaim({ namespace, name })))

/** One that is there grows to what the plan has, where the storage class lets it. */
export async function ensureClaim(
  api: Api,
  names: Names,
  { storageClass }: KubernetesPlace,
  { serverId, diskBytes }: { serverId: string; diskBytes: number },
): Promise<void> {
  const name = names.volume(serverId)
  const before = await findClaim(api, name)
  if (before?.metadata?.deletionTimestamp !== undefined) await untilGone(api, name)
  else if (before !== undefined) return void (await growClaim(api, name, diskBytes))
  await createClaim(api, {
    name,
    labels: names.labels('volume', { [label.server]: serverId }),
    storageClass,
    size: claimSize(diskBytes),
  })
}

export async function createClaim(
  { core, namespace, ask }: Api,
  {
    name,
    labels,
    storageClass,
    size,
  }: { name: string; labels: Record<string, string>; storageClass: string | null; size: string },
): Promise<void> {
  const body = {
    metadata: { name, labels },
    spec: {
      accessModes: ['ReadWriteOnce'],
      ...(storageClass !== null && { storageClassName: storageClass }),
      resources: { requests: { storage: size } },
    },
  }
  await create(ask(core.createNamespacedPersistentVolumeClaim({ namespace, body })))
}

/** @returns whether it has, or is being given, so much: what a storage class cannot do is refused by the API */
export async function growClaim(api: Api, name: string, diskBytes: number): Promise<boolean> {
  const { core, namespace, ask } = api
  const before = await findClaim(api, name)
  if (before === undefined) return false
  if (mebibytes(before.spec?.resources?.requests?.['storage']) >= mebibytes(claimSize(diskBytes))) return true
  const body = { spec: { resources: { requests: { storage: claimSize(diskBytes) } } } }
  try {
    await ask(core.patchNamespacedPersistentVolumeClaim({ namespace, name, body }))
    return true
  } catch (error) {
    if (error instanceof ApiRefusal && [403, 409, 422].includes(error.status)) return false
    throw error
  }
}

/** Whether a claim that grows has come to its size. */
export async function hasGrown(api: Api, name: string, diskBytes: number, patience = GROWN_MS): Promise<boolean> {
  for (const end = Date.now() + patience; Date.now() < end; await delay(250)) {
    const { status } = (await findClaim(api, name)) ?? {}
    if (mebibytes(status?.capacity?.['storage']) >= mebibytes(claimSize(diskBytes))) return true
  }
  return false
}

export async function removeClaim(api: Api, name: string): Promise<void> {
  const { core, namespace, ask } = api
  await ask(core.deleteNamespacedPersistentVolumeClaim({ namespace, name })).catch(unlessGone)
  await untilGone(api, name)
}

async function untilGone(api: Api, name: string): Promise<void> {
  for (const end = Date.now() + GONE_MS; (await findClaim(api, name)) !== undefined; await delay(50))
    if (Date.now() > end) throw new Error(`the claim ${name} is still used`)
}

const units: Record<string, number> = {
  '': 2 ** -20,
  Ki: 2 ** -10,
  Mi: 1,
  Gi: 2 ** 10,
  Ti: 2 ** 20,
  k: 1e3 / 2 ** 20,
  M: 1e6 / 2 ** 20,
  G: 1e9 / 2 ** 20,
  T: 1e12 / 2 ** 20,
}
/** Of a quantity as the API writes it. */
export function mebibytes(quantity: string | undefined): number {
  const [, number = '0', unit = ''] = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(quantity ?? '0') ?? []
  return Number(number) * (units[unit] ?? 0)
}
