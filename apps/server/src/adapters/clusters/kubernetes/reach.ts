/** Where a Pod is reached from outside of the cluster, or from its other parts. */
import type { V1Service } from '@kubernetes/client-node'
import { type Api, create, orNothing } from './api.ts'
import { label, type Names } from './names.ts'
import { ports } from './objects.ts'
import type { KubernetesPlace } from './options.ts'
import { unlessGone } from './pods.ts'

export type Ends = { control: { host: string; port: number }; game: { host: string; port: number } }

/** The Service of a server, or of its files, where Pods are not reached by their own addresses. */
export async function ensureService(
  { core, namespace, ask }: Api,
  names: Names,
  { reach }: KubernetesPlace,
  { name, labels, withGame }: { name: string; labels: Record<string, string>; withGame: boolean },
): Promise<void> {
  if (reach === 'pods') return
  const body: V1Service = {
    metadata: { name, labels: names.labels('guard', { [label.server]: labels[label.server] as string }) },
    spec: {
      type: reach === 'nodes' ? 'NodePort' : 'ClusterIP',
      selector: labels,
      publishNotReadyAddresses: true,
      ports: [
        { name: 'control', port: ports.control, targetPort: ports.control, protocol: 'TCP' },
        ...(withGame ? [{ name: 'game', port: ports.game, targetPort: ports.game, protocol: 'TCP' }] : []),
      ],
    },
  }
  await create(ask(core.createNamespacedService({ namespace, body })))
}

export async function removeService(
  { core, namespace, ask }: Api,
  { reach }: KubernetesPlace,
  name: string,
): Promise<void> {
  if (reach !== 'pods') await ask(core.deleteNamespacedService({ namespace, name })).catch(unlessGone)
}

/** Undefined where there is no such Service yet. @param address of the Pod */
export async function endsOf(
  { core, namespace, ask }: Api,
  { reach, address: ofNodes }: KubernetesPlace,
  { name, address }: { name: string; address: string },
): Promise<Ends | undefined> {
  const at = (host: string, control = ports.control, game = ports.game) => ({
    control: { host, port: control },
    game: { host, port: game },
  })
  if (reach === 'pods') return at(address)
  const service = await orNothing(ask(core.readNamespacedService({ namespace, name })))
  if (service?.spec === undefined) return undefined
  if (reach === 'services') return service.spec.clusterIP === undefined ? undefined : at(service.spec.clusterIP)
  const portOf = (port: string) => service.spec?.ports?.find((one) => one.name === port)?.nodePort
  return at(ofNodes ?? '127.0.0.1', portOf('control'), portOf('game') ?? 0)
}
