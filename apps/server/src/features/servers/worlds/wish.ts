/** What operations on worlds are asked to do, found out and checked before they begin. */
import type { LevelChange } from '@wakestone/minecraft/worlds/level-change'
import type { WarnedInput, WarningNotes } from '#src/features/servers/countdown/service.ts'
import type { WorldEdition } from '@wakestone/protocol/world-values'

/** Paths of the server's files. */
export type WorldAct =
  | { action: 'edit'; folder: string; change: LevelChange; properties: Record<string, string> }
  | { action: 'duplicate'; folders: string[]; names: string[]; target: string; isHeld: boolean }
  | { action: 'rename'; moves: { from: string; to: string }[]; properties: Record<string, string> }
  /** `levels`: folders whose `level.dat` is to forget that the dragon was killed. */
  | { action: 'reset'; paths: string[]; levels: string[] }
  | { action: 'switch'; properties: Record<string, string> }
  | { action: 'create'; properties: Record<string, string> }
  | { action: 'delete'; paths: string[] }
  | { action: 'import'; path: string; target: string; edition: WorldEdition; removesArchive: boolean }
  | { action: 'prune'; folders: string[]; ticks: number }
export type WorldAction = WorldAct['action']

export type WorldInput = WarnedInput & {
  act: WorldAct
  /** Whether a backup is made before, beside the way back by the trash. */
  isBackedUp: boolean
  /** What events tell of it. */
  told: { world: string; name?: string; dimension?: string; changed?: string[] }
}

export type WorldNotes = WarningNotes & {
  /** Since when things may have come into the trash by this. */
  begun: string
  /** The files service's job that is waited for; null: none any more. */
  job: string | null
  /** What was made by it is in its place. */
  isPlaced: boolean
  /** What it has put into the trash. */
  trashed: string[]
  /** What `server.properties` said before. */
  properties: Record<string, string | null>
}
