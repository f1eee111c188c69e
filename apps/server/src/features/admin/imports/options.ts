/** What an import is asked for. */
import type { Currency } from '@wakestone/contract/primitives'
import type { EggMap } from './eggs.ts'
import type { System } from './model.ts'

export type ImportOptions = {
  system: System
  /** Which installation of it, where there are several. */
  origin: string
  dump: string
  /** With `volumes`, `backups` and `databases` in it. */
  files: string | undefined
  isDryRun: boolean
  eggs: EggMap
  /** For all servers; else each gets the nearest. */
  plan: string | undefined
  cluster: string
  currency: Currency
  /** How long servers are paid for from now on. */
  days: number
  /** Of the clock that schedules go by. */
  timeZone: string
  /** For how long it is waited for servers to be prepared. */
  waitMinutes: number
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
