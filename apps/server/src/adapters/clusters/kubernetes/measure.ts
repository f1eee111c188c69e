/** What a cluster has, as far as it may be asked: its machines where that was granted, otherwise the quota of the namespace. */
import { type Api, ApiRefusal } from './api.ts'
import { mebibytes } from './claims.ts'
import { label, type Names } from './names.ts'
import { listPods, readPod } from './pods.ts'
import { SUPERVISOR } from './workload.ts'

const MIB = 1024 ** 2
const coresOf = (quantity: string | undefined) =>
  quantity === undefined ? 0 : quantity.endsWith('m') ? Number(quantity.slice(0, -1)) / 1000 : Number(quantity)
const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)

export async function measure(api: Api, names: Names) {
  const pods = await listPods(api, names.selector({ [label.role]: 'server' }))
  const placedOn = (node: string) => pods.filter(({ spec }) => spec?.nodeName === node).length
  const machines = await listMachines(api)
  const common = { storage: null, load: null }
  if (machines !== undefined)
    return {
      ...common,
      memory: { total: sum(machines.map(({ memory }) => memory)), free: null },
      cores: sum(machines.map(({ cores }) => cores)),
      nodes: machines.map(({ name, answers }) => ({ name, answers, placed: placedOn(name) })),
    }
  const { core, namespace, ask } = api
  const { items } = await ask(core.listNamespacedResourceQuota({ namespace }))
  const hardOf = (...keys: string[]) =>
    items
      .flatMap(({ spec }) => keys.flatMap((key) => spec?.hard?.[key] ?? []))
      .toSorted((a, b) => mebibytes(a) - mebibytes(b))[0]
  const states = pods.map((pod) => ({ node: pod.spec?.nodeName, isLost: readPod(pod, SUPERVISOR).state === 'lost' }))
  const nodes = [...new Set(states.flatMap(({ node }) => node ?? []))]
  return {
    ...common,
    memory: { total: mebibytes(hardOf('requests.memory', 'limits.memory', 'memory')) * MIB, free: null },
    cores: coresOf(hardOf('limits.cpu', 'requests.cpu', 'cpu')),
    // Machines of which nothing of ours tells are known to the cluster alone.
    nodes:
      nodes.length === 0
        ? [{ name: namespace, answers: true, placed: 0 }]
        : nodes.map((name) => ({
            name,
            answers: !states.some(({ node, isLost }) => node === name && isLost),
            placed: placedOn(name),
          })),
  }
}

/** Undefined where a Role of the namespace is all that was granted. */
async function listMachines({ core, ask }: Api) {
  try {
    const { items } = await ask(core.listNode())
    return items.map(({ metadata, status }) => ({
      name: metadata?.name as string,
      answers: status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True',
      memory: mebibytes(status?.allocatable?.['memory']) * MIB,
      cores: coresOf(status?.allocatable?.['cpu']),
    }))
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 403) return undefined
    throw error
  }
}
