/** The server that the home page shows: of all servers only the one that an administrator has named. */
import type { DemoServer } from '@wakestone/contract/servers/demo-routes'
import { panelState } from '@wakestone/contract/states'
import type { Context } from '#src/context.ts'
import { describeServer, findServer } from '#src/features/servers/servers/service.ts'
import { selectServerNamed } from './repo.ts'

/** Undefined where nobody could join it: there is none of that name, or it is not ready, disabled or not paid for. */
export async function findDemoServer(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  label: string,
): Promise<DemoServer | undefined> {
  const id = await selectServerNamed(db, label)
  const row = id === undefined ? undefined : await findServer(db, id)
  if (row === undefined) return undefined
  const { name, address, status, disabled, parameters } = describeServer({ ...row, capabilities: {} }, settings)
  const state = panelState(status)
  if (disabled || state === 'expired' || state === 'failed' || state === 'preparing') return undefined
  const { online, max } = status.players
  return {
    name,
    address,
    game: parameters.game,
    game_version: parameters.game_version,
    state,
    players: { online, max },
    start_seconds: status.start_seconds,
  }
}
