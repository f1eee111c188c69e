/**
 * What is known of a started sandbox, on the host's side where nothing inside can write.
 *
 * The process that becomes the sandbox is recorded before it is let go, so no kill at any moment leaves one that is
 * not known; bubblewrap then tells the number of the sandbox's init and its pid namespace.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { ServerNetwork } from './network/network.ts'
import type { ServerPaths } from './paths.ts'
import {
  findMembers,
  identify,
  isAlive,
  isNamespaceInit,
  type ProcessIdentity,
  readBootId,
  readChildren,
  readPidNamespace,
} from './processes.ts'

/** The first process inside. */
export type Init = ProcessIdentity & { namespace: number }
/** Where it is written; a supervisor's sandbox and each box have their own. */
export type RecordPaths = Pick<ServerPaths, 'placement' | 'info'>
export type PlacementRecord = {
  bootId: string
  sandboxed: boolean
  /** The code of the supervisor, or of the files service. */
  bundle: string
  /** What was started: bubblewrap, or the supervisor itself where there is no sandbox. */
  outer: ProcessIdentity
  /** User of the host as whom the supervisor runs, where the game is another one. */
  supervisorUser?: number
  init?: Init
  /** Of a box: whether it may write to the volume. */
  writes?: boolean
  /** The machine's own where there is none. */
  network?: ServerNetwork
  /** Set when we have ended it. */
  ended?: { inOrder: boolean }
}
/** A sandbox that lives. Without `init` it is being started, or there is none around the supervisor. */
export type Sandbox = { sandboxed: boolean; outer?: ProcessIdentity; init?: Init }

/** Undefined where nothing was placed. */
export function readPlacement(paths: RecordPaths): Partial<PlacementRecord> | undefined {
  if (!existsSync(paths.placement)) return undefined
  try {
    return JSON.parse(readFileSync(paths.placement, 'utf8')) as Partial<PlacementRecord>
  } catch {
    return {} // what bubblewrap has told may still name it
  }
}

export function writePlacement(paths: RecordPaths, record: Partial<PlacementRecord>): void {
  const draft = `${paths.placement}.new`
  writeFileSync(draft, JSON.stringify(record), { mode: 0o600 })
  renameSync(draft, paths.placement)
}

/** Undefined when it is dead. */
export function findSandbox(paths: RecordPaths): Sandbox | undefined {
  const record = readPlacement(paths)
  if (record === undefined || (record.bootId !== undefined && record.bootId !== readBootId())) return undefined
  const sandboxed = record.sandboxed ?? true
  // With the first process of a namespace all others have ended.
  if (record.init && !isAlive(record.init)) return undefined
  const outer = record.outer && isAlive(record.outer) ? record.outer : undefined
  const init = sandboxed ? findInit(paths, record, outer) : undefined
  if (outer === undefined && init === undefined) return undefined
  return { sandboxed, ...(outer && { outer }), ...(init && { init }) }
}

function findInit(paths: RecordPaths, record: Partial<PlacementRecord>, outer: ProcessIdentity | undefined) {
  if (record.init) return record.init
  const told = readInfo(paths)
  const init = told && describeInit(told.pid)
  if (init && init.namespace === told.namespace) return init
  return (
    outer &&
    readChildren(outer.pid)
      .map(describeInit)
      .find((found) => found !== undefined)
  )
}

/** Undefined unless it is the first process of a pid namespace. */
export function describeInit(pid: number): Init | undefined {
  const identity = identify(pid)
  const namespace = readPidNamespace(pid)
  return identity && namespace && isNamespaceInit(pid) ? { ...identity, namespace } : undefined
}

/** What bubblewrap has written about the sandbox. */
export function readInfo(paths: Pick<RecordPaths, 'info'>): { pid: number; namespace: number } | undefined {
  try {
    const info = JSON.parse(readFileSync(paths.info, 'utf8')) as Record<string, number>
    return { pid: info['child-pid'] as number, namespace: info['pid-namespace'] as number }
  } catch {
    return undefined
  }
}

/** All that lives of a sandbox. */
export function findInside({ init }: Sandbox): number[] {
  return init ? findMembers(init.namespace) : []
}
