import type { Settings } from '@wakestone/kit/settings'

const standardPort = 25565

/** What a player types to join: clients assume the standard port, any other has to be said. */
export function joinAddress(host: string, { GAME_PORT }: Pick<Settings, 'GAME_PORT'>): string {
  return GAME_PORT === standardPort ? host : `${host}:${GAME_PORT}`
}
