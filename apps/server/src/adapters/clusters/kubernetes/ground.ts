/** What stands around all Pods of a cluster: rules of its network, and the Service that gives StatefulSets their names. */
import type * as k8s from '@kubernetes/client-node'
import { refusedRanges } from '../process/network/ranges.ts'
import type { NetworkPolicy } from '../process/network/policy.ts'
import { type Api, ApiRefusal, create, orNothing } from './api.ts'
import { label, more, type Names } from './names.ts'
import { ports } from './objects.ts'
import type { KubernetesPlace } from './options.ts'

const DNS = 53
/** What of IPv6 is given out to the world; the rest, with all that maps addresses of IPv4, is refused by that. */
const UNICAST_6 = '2000::/3'
/** The kubelet of a Pod's machine asks whether it is ready, which no rule of a network keeps it from. */
const tcp = (port: number) => ({ port, protocol: 'TCP' })

/** Nobody reaches anybody, but for what is named. */
export function describePolicies(names: Names, place: KubernetesPlace, policy: NetworkPolicy): k8s.V1NetworkPolicy[] {
  const ours = { [label.cluster]: names.mark }
  const describe = (
    name: string,
    wanted: Record<string, string>,
    spec: Omit<k8s.V1NetworkPolicySpec, 'podSelector'>,
  ) => ({
    metadata: { name: names.policy(name), labels: names.labels('guard') },
    spec: { podSelector: { matchLabels: { ...ours, ...wanted } }, ...spec },
  })
  return [
    describe('all', {}, { policyTypes: ['Ingress', 'Egress'] }),
    describe(
      'servers',
      { [label.role]: 'server' },
      {
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ _from: whoComes(place), ports: [tcp(ports.control), tcp(ports.game)] }],
        egress: whereTo(policy),
      },
    ),
    describe(
      'files',
      { [label.box]: 'files' },
      {
        policyTypes: ['Ingress'],
        ingress: [{ _from: whoComes(place), ports: [tcp(ports.control)] }],
      },
    ),
    // Programs of ours that speak to storage; never a customer's code.
    describe('tasks', { [label.role]: 'box', [more.network]: 'host' }, { policyTypes: ['Egress'], egress: [{}] }),
  ]
}

/** Gateways and panel. */
const whoComes = ({ from }: KubernetesPlace): k8s.V1NetworkPolicyPeer[] =>
  from.length > 0
    ? from.map((cidr) => ({
        ipBlock: { cidr: cidr.includes('/') ? cidr : `${cidr}/${cidr.includes(':') ? 128 : 32}` },
      }))
    : [
        {
          namespaceSelector: {},
          podSelector: { matchExpressions: [{ key: label.cluster, operator: 'DoesNotExist' }] },
        },
      ]

function whereTo({ internet, reachable, resolvers }: NetworkPolicy): k8s.V1NetworkPolicyEgressRule[] {
  const block = (cidr: string) => ({
    ipBlock: { cidr: cidr.includes('/') ? cidr : `${cidr}/${cidr.includes(':') ? 128 : 32}` },
  })
  const named = [
    { port: DNS, protocol: 'UDP' },
    { port: DNS, protocol: 'TCP' },
  ]
  const dns =
    resolvers.length > 0
      ? resolvers.map(block)
      : [
          {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
            podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
          },
        ]
  return [
    ...(internet
      ? [
          { to: dns, ports: named },
          {
            to: [
              { ipBlock: { cidr: '0.0.0.0/0', except: refusedRanges.ip } },
              { ipBlock: { cidr: UNICAST_6, except: refusedRanges.ip6.filter((range) => /^[23]/.test(range)) } },
            ],
          },
        ]
      : []),
    ...(reachable.length > 0 ? [{ to: reachable.map(block) }] : []),
  ]
}

/** Brings it to what it has to be, once for a process: an operator may have changed it. */
export async function layGround(api: Api, names: Names, place: KubernetesPlace, policy: NetworkPolicy): Promise<void> {
  const { namespace, networking, core, ask } = api
  for (const body of describePolicies(names, place, policy)) {
    const name = body.metadata?.name as string
    const before = await orNothing(ask(networking.readNamespacedNetworkPolicy({ namespace, name })))
    if (before === undefined) await create(ask(networking.createNamespacedNetworkPolicy({ namespace, body })))
    else if (JSON.stringify(before.spec) !== JSON.stringify(body.spec)) {
      // Lists of rules are replaced as a whole.
      body.metadata = {
        ...body.metadata,
        ...(before.metadata?.resourceVersion && { resourceVersion: before.metadata.resourceVersion }),
      }
      await ask(networking.replaceNamespacedNetworkPolicy({ namespace, name, body })).catch((error: unknown) => {
        if (!(error instanceof ApiRefusal) || error.status !== 409) throw error // somebody else has just done so
      })
    }
  }
  await create(
    ask(
      core.createNamespacedService({
        namespace,
        body: {
          metadata: { name: names.network, labels: names.labels('guard') },
          spec: {
            clusterIP: 'None',
            publishNotReadyAddresses: true,
            selector: { [label.cluster]: names.mark, [label.role]: 'server' },
            ports: [{ name: 'control', port: ports.control }],
          },
        },
      }),
    ),
  )
}
