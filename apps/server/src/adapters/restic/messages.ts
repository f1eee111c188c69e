/** What restic writes with `--json`, as far as it is read here. Names in it are a customer's; lines may be cut. */
import { type BackupDetails, backupDetailsSchema } from '@wakestone/contract/servers/backups'
import { z } from 'zod'

const figure = z.number().min(0).catch(0).default(0)

const statusSchema = z.object({
  message_type: z.literal('status'),
  percent_done: z.number().min(0).max(1).catch(0).default(0),
  total_bytes: figure,
  bytes_done: figure,
  bytes_restored: figure,
  seconds_remaining: z.number().min(0).optional().catch(undefined),
  current_files: z.array(z.string()).optional().catch(undefined),
})
export type ResticProgress = {
  /** 0–1. */
  share: number
  bytesDone: number
  bytesTotal: number
  secondsLeft: number | null
  /** What is read just now. */
  item: string | null
}

export function parseLine(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined // cut
  }
}

/** Undefined for a line that tells no progress. */
export function readProgress(line: Record<string, unknown>): ResticProgress | undefined {
  const status = statusSchema.safeParse(line)
  if (!status.success) return undefined
  const { percent_done, total_bytes, bytes_done, bytes_restored, seconds_remaining, current_files } = status.data
  return {
    share: percent_done,
    bytesDone: bytes_done || bytes_restored,
    bytesTotal: total_bytes,
    secondsLeft: seconds_remaining ?? null,
    item: current_files?.[0]?.replace(/^\/+/, '').slice(-200) ?? null,
  }
}

/** Figures of a backup that has made a snapshot; `skipped` when nothing had changed. */
export function readSummary(line: Record<string, unknown>): BackupDetails | 'skipped' | undefined {
  if (line['message_type'] !== 'summary' || line['total_files_processed'] === undefined) return undefined
  if (line['snapshot_id'] === undefined || line['snapshot_id'] === '') return 'skipped'
  return backupDetailsSchema.safeParse(line).data
}

const snapshotsSchema = z.array(z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) }))
/** Ids out of the answer of `snapshots`, which is one line. @throws Error for what is no such answer */
export const readSnapshotIds = (text: string): string[] => snapshotsSchema.parse(JSON.parse(text)).map(({ id }) => id)

/** What went wrong with one file. */
const errorSchema = z.object({
  message_type: z.literal('error'),
  error: z.object({ message: z.string() }).partial().optional(),
  item: z.string().optional(),
})
export function readFileError(line: Record<string, unknown>): string | undefined {
  const parsed = errorSchema.safeParse(line)
  if (!parsed.success) return undefined
  return `${parsed.data.item ?? ''}: ${parsed.data.error?.message ?? ''}`.slice(0, 500)
}

/** With what restic takes its leave. */
const exitErrorSchema = z.object({ message_type: z.literal('exit_error'), message: z.string() })
export const readExitError = (line: Record<string, unknown>): string | undefined =>
  exitErrorSchema.safeParse(line).data?.message
