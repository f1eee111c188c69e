/** Runs the inspector in a box of its own: it sees one file that somebody has sent, and nothing else. */
import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { type Inspection, inspectionSchema, type InspectionWork } from '@wakestone/protocol/inspection'
import type { Cluster } from '#src/adapters/clusters/cluster.ts'

/** Built at set-up: the program, and what it needs that is no JavaScript. */
const program = resolve(import.meta.dirname, '../../../../inspector/build')
const tool = '/opt/wakestone/tools/inspector'
const memoryBytes = 512 * 1024 ** 2
const mostMilliseconds = 120_000

/** Why nothing is known of a file: it took more than it may, or the inspector itself has failed. */
export class NotInspected extends Error {
  readonly fault: 'memory' | 'time' | 'program'
  constructor(fault: 'memory' | 'time' | 'program', message: string) {
    super(message)
    this.fault = fault
  }
}

type Wanted =
  | { kind: 'archive'; file: string; type: 'jar' | 'zip' | 'tgz'; entries: number; expansion: number }
  | { kind: 'media'; file: string; as: 'icon' | 'thumbnail' | 'image' | 'video'; outFolder: string }

/** What is written for it inside of `outFolder` is called so. */
export const inspectedName = 'made'

/** @throws NotInspected; Error where no box can be started. */
export async function inspect(
  cluster: Pick<Cluster, 'runTask' | 'remove'>,
  wanted: Wanted,
  memory = memoryBytes,
): Promise<Inspection> {
  const inside = '/opt/wakestone/tools/file'
  const work: InspectionWork =
    wanted.kind === 'archive'
      ? { ...wanted, file: inside }
      : { kind: 'media', as: wanted.as, file: inside, out: join('/mnt/out', inspectedName) }
  // Each has a place of its own, which no server has.
  const place = randomUUID()
  try {
    const run = await cluster.runTask(place, {
      name: 'inspect',
      command: ['/opt/wakestone/bin/node', '--max-old-space-size=256', `${tool}/inspector.mjs`, JSON.stringify(work)],
      volume: 'none',
      tools: { inspector: program, file: wanted.file },
      folders: wanted.kind === 'media' ? { out: { host: wanted.outFolder, write: true } } : {},
      env: { MALLOC_ARENA_MAX: '2' },
      network: 'none',
      memoryBytes: memory,
    })
    const timer = setTimeout(() => run.cancel(), mostMilliseconds)
    const began = Date.now()
    let found: Inspection | undefined
    const said: string[] = []
    for await (const { stream, text } of run.lines) {
      found = (stream === 'out' ? parse(text) : undefined) ?? found
      if (stream === 'err' && said.length < 20) said.push(text.slice(0, 300))
    }
    clearTimeout(timer)
    const { code, outOfMemory } = await run.exit
    if (code === 0 && found !== undefined) return found
    const fault = outOfMemory ? 'memory' : Date.now() - began >= mostMilliseconds ? 'time' : 'program'
    throw new NotInspected(fault, `the inspector ended with ${code}: ${said.join(' · ')}`)
  } finally {
    await cluster.remove(place, { volume: 'delete' })
  }
}

function parse(text: string): Inspection | undefined {
  try {
    return inspectionSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
