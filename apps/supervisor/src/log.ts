import { traceIds } from './trace.ts'

export type Log = (level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>) => void

/**
 * One JSON line per entry on standard output. The product's logger is not used here: ten supervisors side by side
 * would each pay for it.
 */
export const log: Log = (level, message, fields) => {
  const entry = { level, time: new Date().toISOString(), part: 'supervisor', msg: message, ...traceIds(), ...fields }
  process.stdout.write(`${JSON.stringify(entry, (_key, value) => (value instanceof Error ? value.message : value))}\n`)
}
