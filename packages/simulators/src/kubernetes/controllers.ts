/** What the controllers of a cluster do with objects, as far as drivers of ours count on it. */
import type { Client } from './client.ts'
import { Refused } from './client.ts'
import type { KubeObject } from './kinds.ts'

export type Known = Record<'pods' | 'statefulsets' | 'jobs' | 'claims', Map<string, KubeObject>>

const gone = (error: unknown) => {
  if (!(error instanceof Refused) || ![404, 409].includes(error.status)) throw error
}
const ownerOf = ({ metadata }: KubeObject) => metadata.ownerReferences?.[0]
const suffix = () => Math.random().toString(36).slice(2, 7).padEnd(5, 'x')

/** Once over all that is known. What fails is tried again with the next change. */
export async function reconcile(
  client: Client,
  node: string,
  { pods, statefulsets, jobs, claims }: Known,
): Promise<void> {
  const podPath = ({ metadata }: KubeObject) => `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`

  async function createPod(owner: KubeObject, name: string, labels: Record<string, string>) {
    const { namespace } = owner.metadata
    const { metadata, spec } = owner.spec.template
    await client
      .call('POST', `/api/v1/namespaces/${namespace}/pods`, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          ...metadata,
          name,
          labels: { ...metadata.labels, ...labels },
          ownerReferences: [
            {
              apiVersion: owner.kind === 'Job' ? 'batch/v1' : 'apps/v1',
              kind: owner.kind,
              name: owner.metadata.name,
              uid: owner.metadata.uid,
              controller: true,
            },
          ],
        },
        spec,
      })
      .catch(gone)
  }

  for (const set of statefulsets.values()) {
    if (set.metadata.deletionTimestamp) continue
    const pod = pods.get(`${set.metadata.namespace}/${set.metadata.name}-0`)
    if (set.spec.replicas > 0 && pod === undefined)
      await createPod({ ...set, kind: 'StatefulSet' }, `${set.metadata.name}-0`, {
        'statefulset.kubernetes.io/pod-name': `${set.metadata.name}-0`,
      })
    if (
      pod !== undefined &&
      !pod.metadata.deletionTimestamp &&
      (set.spec.replicas === 0 || pod.status?.phase === 'Failed')
    )
      await client.call('DELETE', podPath(pod)).catch(gone)
  }

  for (const job of jobs.values()) {
    const own = [...pods.values()].filter((pod) => ownerOf(pod)?.uid === job.metadata.uid)
    const isOver = job.status?.conditions?.length > 0
    if (own.length === 0 && !isOver && !job.metadata.deletionTimestamp) {
      const labels = { 'job-name': job.metadata.name, 'batch.kubernetes.io/job-name': job.metadata.name }
      await createPod({ ...job, kind: 'Job' }, `${job.metadata.name}-${suffix()}`, labels)
    }
    const ended = own.find(({ status }) => status?.phase === 'Succeeded' || status?.phase === 'Failed')
    if (ended !== undefined && !isOver) {
      const type = ended.status.phase === 'Succeeded' ? 'Complete' : 'Failed'
      const path = `/apis/batch/v1/namespaces/${job.metadata.namespace}/jobs/${job.metadata.name}/status`
      await client.merge(path, { status: { conditions: [{ type, status: 'True' }] } }).catch(gone)
    }
  }

  for (const pod of pods.values()) {
    // What belongs to something goes with it.
    const owner = ownerOf(pod)
    const all = owner?.kind === 'Job' ? jobs : statefulsets
    if (
      owner &&
      !pod.metadata.deletionTimestamp &&
      ![...all.values()].some(({ metadata }) => metadata.uid === owner.uid)
    )
      await client.call('DELETE', podPath(pod)).catch(gone)
    else if (!pod.spec.nodeName && !pod.metadata.deletionTimestamp && areBound(pod, claims))
      await client
        .call('POST', `${podPath(pod)}/binding`, {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: pod.metadata.name },
          target: { apiVersion: 'v1', kind: 'Node', name: node },
        })
        .catch(gone)
  }

  for (const claim of claims.values()) {
    const path = `/api/v1/namespaces/${claim.metadata.namespace}/persistentvolumeclaims/${claim.metadata.name}`
    const wanted = claim.spec.resources.requests.storage
    if (claim.metadata.deletionTimestamp) {
      const isUsed = [...pods.values()].some((pod) => namesOf(pod).includes(claim.metadata.name) && isUp(pod))
      if (!isUsed && claim.metadata.finalizers?.length)
        await client.merge(path, { metadata: { finalizers: null } }).catch(gone)
    } else if (claim.status?.phase !== 'Bound' || claim.status.capacity?.storage !== wanted)
      await client.merge(`${path}/status`, { status: { phase: 'Bound', capacity: { storage: wanted } } }).catch(gone)
  }
}

const namesOf = ({ spec }: KubeObject): string[] =>
  (spec.volumes ?? []).flatMap((volume: any) => volume.persistentVolumeClaim?.claimName ?? [])
const isUp = ({ status }: KubeObject) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed'
const areBound = (pod: KubeObject, claims: Map<string, KubeObject>) =>
  namesOf(pod).every((name) => {
    const claim = claims.get(`${pod.metadata.namespace}/${name}`)
    return claim?.status?.phase === 'Bound' && !claim.metadata.deletionTimestamp
  })
