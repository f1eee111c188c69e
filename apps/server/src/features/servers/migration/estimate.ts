/** How long the game of a server will be down for a move: by its size, and by how long moves took against that. */
import type { Handle } from '#src/db/client.ts'
import { expectedStart, type ServerRow } from '#src/features/servers/servers/service.ts'
import { type MoveRow, selectPastMoves } from './repo.ts'

/** Until anything was measured: stop, copy of what has changed, placing and installation on an ordinary disk. */
const baseSeconds = 15
const bytesPerSecond = 60e6
const startSeconds = 20
const [least, most] = [0.25, 4]

export type Estimate = { seconds: number; modelled: number }

/** Seconds by size alone. */
export const modelSeconds = (bytes: number, start: number | null): number =>
  baseSeconds + bytes / bytesPerSecond + (start ?? startSeconds)

/** What to multiply that with: the middle one of what moves took against it. */
export function factorOf(past: readonly Pick<MoveRow, 'down_seconds' | 'modelled_seconds'>[]): number {
  const factors = past
    .flatMap(({ down_seconds, modelled_seconds }) =>
      down_seconds === null || !modelled_seconds ? [] : [down_seconds / modelled_seconds],
    )
    .sort((one, other) => one - other)
  return Math.min(most, Math.max(least, factors[factors.length >> 1] ?? 1))
}

export async function estimateDown(
  db: Handle,
  server: Pick<ServerRow, 'start_seconds' | 'disk_bytes'>,
  between: { from: string; to: string },
): Promise<Estimate> {
  const modelled = modelSeconds(Number(server.disk_bytes ?? 0), expectedStart(server))
  return { seconds: Math.ceil(modelled * factorOf(await selectPastMoves(db, between))), modelled }
}
