/** What the API tells of a Pod, in our words, and how one is waited for and ended. */
import { setTimeout as delay } from 'node:timers/promises'
import type { V1Pod } from '@kubernetes/client-node'
import { type Api, ApiRefusal, orNothing } from './api.ts'

/** After the time that a Pod was given to end, its machine has this long to tell of it. */
const UNTOLD_MS = 30_000
/** Reasons for which a container never starts by itself. */
const HOPELESS = ['ErrImageNeverPull', 'InvalidImageName', 'CreateContainerConfigError', 'CreateContainerError']
const PULLING = ['ErrImagePull', 'ImagePullBackOff']

export type PodState =
  | { state: 'pending'; why: string; isHopeless: boolean }
  | { state: 'running'; address: string }
  /** `code` is null where nobody knows. */
  | { state: 'ended'; code: number | null; outOfMemory: boolean }
  /** Its machine does not answer. */
  | { state: 'lost'; node: string }

/** @param container the one that matters, which a kubelet starts again in a Pod that stays */
export function readPod(pod: V1Pod, container: string, now = Date.now()): PodState {
  const { status, spec, metadata } = pod
  const node = spec?.nodeName ?? 'its machine'
  const own = status?.containerStatuses?.find(({ name }) => name === container)
  const { terminated, running, waiting } = own?.state ?? {}
  const ended = terminated ?? own?.lastState?.terminated
  if (ended !== undefined || status?.phase === 'Failed' || status?.phase === 'Succeeded')
    return { state: 'ended', code: ended?.exitCode ?? null, outOfMemory: ended?.reason === 'OOMKilled' }
  const isReady = status?.conditions?.find(({ type }) => type === 'Ready')?.status
  // A cluster that does not hear of a machine says so of its Pods, and leaves what was last known of their containers.
  const isUnheard = running !== undefined && own?.ready === true && isReady === 'False'
  const leaving = metadata?.deletionTimestamp
  const isOverdue = leaving !== undefined && now - new Date(leaving).getTime() > UNTOLD_MS
  if (isUnheard || isReady === 'Unknown' || isOverdue) return { state: 'lost', node }
  if (running !== undefined && status?.podIP !== undefined) return { state: 'running', address: status.podIP }
  const unscheduled = status?.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False')
  const why = [waiting?.reason, waiting?.message, unscheduled?.message, status?.message].filter(Boolean).join(': ')
  return { state: 'pending', why: why || 'it has not begun', isHopeless: HOPELESS.includes(waiting?.reason ?? '') }
}

export const isPulling = (why: string) => PULLING.some((reason) => why.includes(reason))

export const findPod = ({ core, namespace, ask }: Api, name: string): Promise<V1Pod | undefined> =>
  orNothing(ask(core.readNamespacedPod({ namespace, name })))

export async function listPods({ core, namespace, ask }: Api, labelSelector: string): Promise<V1Pod[]> {
  return (await ask(core.listNamespacedPod({ namespace, labelSelector }))).items
}

/**
 * Ends a Pod at once, and waits until its machine has said that it is gone: only then is nothing of it left.
 * @throws Error where nobody says so
 */
export async function endPod(api: Api, name: string, patience = 60_000): Promise<void> {
  const { core, namespace, ask } = api
  const before = await findPod(api, name)
  if (before === undefined) return
  const uid = before.metadata?.uid
  const body = { gracePeriodSeconds: 1, ...(uid && { preconditions: { uid } }) }
  await ask(core.deleteNamespacedPod({ namespace, name, gracePeriodSeconds: 1, body })).catch(unlessGone)
  for (const end = Date.now() + patience; ; await delay(50)) {
    const found = await findPod(api, name)
    if (found === undefined || found.metadata?.uid !== uid) return
    if (Date.now() > end) throw new Error(`the Pod ${name} does not end on ${found.spec?.nodeName ?? 'its machine'}`)
  }
}

/** For what may have gone meanwhile. */
export function unlessGone(error: unknown): undefined {
  if (error instanceof ApiRefusal && (error.status === 404 || error.status === 409)) return undefined
  throw error
}

/** The last lines of both outputs, as far as they are to be had. */
export async function logsOf({ core, namespace, ask }: Api, name: string, container: string): Promise<string> {
  const text = await ask(core.readNamespacedPodLog({ namespace, name, container, tailLines: 20 })).catch(() => '')
  return String(text ?? '')
    .trim()
    .slice(-500)
}
