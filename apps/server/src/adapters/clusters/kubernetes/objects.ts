/** What all of our Pods have in common: as little as can be, so that a namespace may refuse whatever has more. */
import type * as k8s from '@kubernetes/client-node'
import { bundleEnvironment } from '../process/sandbox.ts'

const MIB = 1024 ** 2
/** Ports of a Pod: of its supervisor or files service, where players arrive, and where its game listens for itself. */
export const ports = { control: 8471, game: 25564, own: 25565 }
/** Games have this long to save their worlds: what a supervisor takes at most, and a little more. */
const GRACE_SECONDS = 130
export const BOX_GRACE_SECONDS = 5
const TMP_BYTES = 256 * MIB
/** Of a Pod's requests for the processor, compared with what it may take: few games want it all at once. */
const CPU_SHARE = 0.25

const locked: k8s.V1SecurityContext = {
  allowPrivilegeEscalation: false,
  privileged: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
}

export const environment = { PATH: bundleEnvironment('')['PATH'] as string, LANG: 'C.UTF-8', TZ: 'UTC' }

export type Mount = { volume: string; path: string; readOnly?: boolean }
export type ContainerParts = {
  name: string
  image: string
  /** A script of ours, with its arguments. */
  script: string
  args?: string[]
  env?: Record<string, string>
  memoryBytes: number
  cpu: number
  mounts: Mount[]
  /** Whether it is written to, by one who holds it. */
  input?: boolean
  /** Asked for whether it is ready. */
  port?: number
}

export function describeContainer(parts: ContainerParts): k8s.V1Container {
  const { name, image, script, args = [], env = {}, memoryBytes, cpu, mounts, input = false, port } = parts
  const memory = String(Math.ceil(memoryBytes))
  return {
    name,
    image,
    imagePullPolicy: 'IfNotPresent',
    command: ['/bin/sh', '-c', script, name, ...args],
    env: Object.entries({ ...environment, ...env }).map(([key, value]) => ({ name: key, value })),
    ...(input && { stdin: true, stdinOnce: true }),
    resources: {
      requests: { memory, cpu: cores(cpu * CPU_SHARE) },
      limits: { memory, cpu: cores(cpu) },
    },
    securityContext: locked,
    volumeMounts: [...mounts, { volume: 'run', path: '/run/wakestone' }, { volume: 'tmp', path: '/tmp' }].map(
      ({ volume, path, readOnly = false }: Mount) => ({ name: volume, mountPath: path, readOnly }),
    ),
    ...(port !== undefined && {
      ports: [{ name: 'control', containerPort: port }],
      readinessProbe: { tcpSocket: { port }, periodSeconds: 5, timeoutSeconds: 2, failureThreshold: 3 },
    }),
    terminationMessagePolicy: 'File',
  }
}
const cores = (count: number) => `${Math.max(10, Math.round(count * 1000))}m`

export type PodParts = {
  labels: Record<string, string>
  /** Whom nobody else is. */
  user: number
  containers: ContainerParts[]
  init?: ContainerParts[]
  volumes: k8s.V1Volume[]
  /** Its volume is on one machine at a time. */
  beside?: { labels: Record<string, string>; must: boolean }
  restart: 'Always' | 'Never'
  resolvers: string[]
  graceSeconds?: number
  seconds?: number
}

export function describePod(parts: PodParts): k8s.V1PodTemplateSpec {
  const { labels, user, containers, init = [], volumes, beside, restart, resolvers, seconds } = parts
  const { graceSeconds = GRACE_SECONDS } = parts
  const term = beside && { labelSelector: { matchLabels: beside.labels }, topologyKey: 'kubernetes.io/hostname' }
  return {
    metadata: {
      labels,
      // A scaler of machines leaves those alone on which somebody plays.
      annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' },
    },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      restartPolicy: restart,
      terminationGracePeriodSeconds: graceSeconds,
      ...(seconds !== undefined && { activeDeadlineSeconds: seconds }),
      securityContext: {
        runAsNonRoot: true,
        runAsUser: user,
        runAsGroup: user,
        fsGroup: user,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      },
      ...(term && {
        affinity: {
          podAffinity: beside.must
            ? { requiredDuringSchedulingIgnoredDuringExecution: [term] }
            : { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: term }] },
        },
      }),
      ...(resolvers.length > 0 && { dnsPolicy: 'None', dnsConfig: { nameservers: resolvers } }),
      ...(init.length > 0 && { initContainers: init.map(describeContainer) }),
      containers: containers.map(describeContainer),
      volumes: [
        ...volumes,
        { name: 'run', emptyDir: { medium: 'Memory', sizeLimit: String(16 * MIB) } },
        { name: 'tmp', emptyDir: { sizeLimit: String(TMP_BYTES) } },
      ],
    },
  }
}

export const claimVolume = (claimName: string): k8s.V1Volume => ({ name: 'data', persistentVolumeClaim: { claimName } })
/** With a small folder of its own. */
export const emptyVolume = (name: string, bytes = MIB): k8s.V1Volume => ({
  name,
  emptyDir: { sizeLimit: String(Math.ceil(bytes)) },
})
export const codeVolume = (configMap: string): k8s.V1Volume => ({ name: 'given', configMap: { name: configMap } })
