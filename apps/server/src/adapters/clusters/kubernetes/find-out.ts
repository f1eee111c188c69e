/** Finds out what a cluster gives to servers, by trying it as they would find it. */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { NetworkPolicy } from '../process/network/policy.ts'
import type { MissingWall } from '../process/walls.ts'
import { type Api, create } from './api.ts'
import { createClaim, removeClaim } from './claims.ts'
import { layGround } from './ground.ts'
import { label, type Names } from './names.ts'
import { BOX_GRACE_SECONDS, claimVolume, describePod } from './objects.ts'
import type { KubernetesPlace } from './options.ts'
import { findMissing } from './permissions.ts'
import { endPod, findPod, logsOf, readPod } from './pods.ts'
import { trialScript } from './scripts.ts'

export type Knowledge = {
  /** Whether a volume is a file system of its own, which refuses what is more than its claim. */
  hasQuota: boolean
  missing: MissingWall[]
  /** What an operator should know, without which it goes as well. */
  notes: string[]
}

const TRIAL_MS = 90_000
const TRIAL_MIB = 512
const TRIAL_USER = 1_899_999_999
/** A file system is a little smaller or larger than it was ordered; a machine's disk is much larger. */
const QUOTA_BYTES = 4 * TRIAL_MIB * 1024 ** 2

/** @throws Error where no server can be placed there */
export async function findOut(
  api: Api,
  { names, place, policy }: { names: Names; place: KubernetesPlace; policy: NetworkPolicy },
): Promise<Knowledge> {
  const denied = await findMissing(api)
  if (denied.length > 0)
    throw new Error(
      `the Role in the namespace ${api.namespace} does not grant ${denied.join(', ')} (deploy/kubernetes/games.yaml)`,
    )
  await layGround(api, names, place, policy)
  const { isOpen, diskBytes } = await tryPod(api, names, place)
  const hasQuota = diskBytes < QUOTA_BYTES
  const missing: MissingWall[] = [
    ...(isOpen
      ? [
          {
            wall: 'network' as const,
            why: 'rules of the network (NetworkPolicy) are stored and not obeyed: the network plugin of the cluster knows none',
          },
        ]
      : []),
    ...(hasQuota
      ? []
      : [
          {
            wall: 'disk' as const,
            why: 'volumes of this storage class are folders of a larger disk; a game that is over its plan is stopped within a minute, and no file of its is larger than it',
          },
        ]),
  ]
  return {
    hasQuota,
    missing,
    notes: policy.reachable.length === 0 ? [] : ['addresses of SERVER_REACHES are open to all servers there'],
  }
}

/** What a Pod of ours reaches without being given anything, and how large its volume is. */
async function tryPod(api: Api, names: Names, place: KubernetesPlace): Promise<{ isOpen: boolean; diskBytes: number }> {
  const { core, namespace, ask } = api
  const name = `wakestone-trial-${randomBytes(4).toString('hex')}`
  const labels = names.labels('box', { [label.box]: 'trial' })
  const template = describePod({
    labels,
    user: TRIAL_USER,
    restart: 'Never',
    resolvers: [],
    graceSeconds: BOX_GRACE_SECONDS,
    seconds: TRIAL_MS / 1000,
    containers: [
      {
        name: 'trial',
        image: place.image,
        script: trialScript,
        memoryBytes: 96 * 1024 ** 2,
        cpu: 0.5,
        mounts: [{ volume: 'data', path: '/data' }],
      },
    ],
    volumes: [claimVolume(name)],
  })
  try {
    await createClaim(api, { name, labels, storageClass: place.storageClass, size: `${TRIAL_MIB}Mi` })
    const body = { metadata: { ...template.metadata, name }, spec: template.spec! }
    await create(ask(core.createNamespacedPod({ namespace, body, fieldValidation: 'Strict' })))
    let why = 'no machine takes it'
    for (const end = Date.now() + TRIAL_MS; Date.now() < end; await delay(50)) {
      const pod = await findPod(api, name)
      const state = pod && readPod(pod, 'trial')
      if (state?.state === 'pending') why = state.why
      if (state?.state === 'pending' && (state.isHopeless || /ErrImagePull|ImagePullBackOff/.test(why))) break
      if (state?.state !== 'ended') continue
      const said = String(await ask(core.readNamespacedPodLog({ namespace, name, container: 'trial' })))
      const disk = /^disk (\d+)$/m.exec(said)
      if (disk === null || !/^tried$/m.test(said))
        throw new Error(`a Pod does not run as it has to: ${said.slice(-300)}`)
      return { isOpen: /^reached$/m.test(said), diskBytes: Number(disk[1]) }
    }
    throw new Error(`no Pod begins in the namespace ${namespace}: ${why}; ${await logsOf(api, name, 'trial')}`)
  } finally {
    await endPod(api, name).catch(() => undefined)
    await removeClaim(api, name).catch(() => undefined)
  }
}
