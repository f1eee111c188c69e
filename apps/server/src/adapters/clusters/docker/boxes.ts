/** Containers beside a server's supervisor: what they are given, and how they go. */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Task, Workload } from '../cluster.ts'
import { readStartTime } from '../process/processes.ts'
import type { Mount } from './containers.ts'
import { contentOf, provideContent } from './content.ts'
import type { Knowledge } from './find-out.ts'
import { type Host, isEnded } from './host.ts'
import { label, type Names } from './names.ts'

/** The supervisor's own part of a volume. */
export const SUPERVISORS = '/data/.wakestone'
/** Games come first. */
export const BOX_WEIGHT = 0.25

export type Place = { host: Host; knowledge: Knowledge; names: Names; image: string }
/** Nobody takes files of ours away while this runs, which is about to give them to somebody. */
export type WithContent = <T>(action: () => Promise<T>) => Promise<T>
export type Limits = Workload['limits']
/** No task takes longer: four hours are allowed to a map. */
export const LONGEST_TASK_MS = 24 * 3_600_000

/** Of the process that begins a task. */
const own = () => `${hostname()} ${readBootMark()} ${process.pid} ${readStartTime(process.pid)}`
const readBootMark = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()

export const boxLabels = (serverId: string, box: string, content: string[], isTask: boolean) => ({
  [label.server]: serverId,
  [label.box]: box,
  ...(content.length > 0 && { [label.content]: content.join(',') }),
  ...(isTask && { [label.owner]: own() }),
})

/** Whether the process that began a task is gone, as far as this machine can tell. */
function isAbandoned(owner: string | undefined): boolean {
  if (owner === undefined) return false
  const [machine, boot, pid, startTime] = owner.split(' ')
  if (machine !== hostname()) return false
  return boot !== readBootMark() || readStartTime(Number(pid)) !== startTime
}

/**
 * What a task is shown of this machine: as it is where the engine sees that, otherwise a copy.
 * @throws Error for a folder that has to be this machine's, where the engine is elsewhere
 */
export async function mountsOf({ host, knowledge, names, image }: Place, serverId: string, task: Task) {
  const mounts: Mount[] = []
  const content: string[] = []
  const tools = Object.entries(task.tools ?? {})
  if (knowledge.sharesFiles)
    for (const [name, source] of tools)
      mounts.push({ kind: 'bind', source, target: `/opt/wakestone/tools/${name}`, write: false })
  else if (tools.length > 0) {
    const volume = await provideContent(host, names, image, contentOf(Object.fromEntries(tools)))
    content.push(volume)
    mounts.push({ source: volume, target: '/opt/wakestone/tools', write: false })
  }
  for (const [name, { host: source, write, mayBeEmpty }] of Object.entries(task.folders ?? {})) {
    const target = `/mnt/${name}`
    if (knowledge.sharesFiles) mounts.push({ kind: 'bind', source, target, write })
    else if (mayBeEmpty === true) {
      const volume = names.folder(serverId, name)
      await host.makeVolume(volume, 'volume', { [label.server]: serverId })
      mounts.push({ source: volume, target, write })
    } else
      throw new Error(
        `${task.name} needs the folder ${source} of this machine, which the engine of ${host.name} does not see`,
      )
  }
  return { mounts, content }
}

/** Takes boxes away that have ended, and tasks that nobody waits for any more: what one ended with, its owner reads first. */
export async function removeEndedBoxes(host: Host): Promise<void> {
  const boxes = await host.list({ [label.role]: 'box' })
  const isOver = ({ state, labels, createdAt }: (typeof boxes)[number]) => {
    const owner = labels[label.owner]
    const isOld = owner === undefined || createdAt < Date.now() - LONGEST_TASK_MS
    return (isEnded(state) && isOld) || isAbandoned(owner)
  }
  await Promise.all(boxes.filter(isOver).map(({ name }) => removeBox(host, name)))
}

/** With what holds its network, if it has one. */
export async function removeBox(host: Host, container: string): Promise<void> {
  await host.remove(container)
  await host.remove(`${container}-net`)
}
