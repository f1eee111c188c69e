/** What a server's files say of its players. */
import type { Players } from '@wakestone/protocol/files'
import type { Context } from '#src/context.ts'
import { filesOf } from '#src/features/servers/files/service.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'

/** Whatever their settings say, these take everybody under any name. */
const trustingEngines: readonly string[] = ['flying-squid', 'serenity']

export const editionOf = ({ game }: Pick<ServerRow, 'game'>) => (game === 'minecraft-bedrock' ? 'bedrock' : 'java')

export async function readPlayers({ fleet }: Pick<Context, 'fleet'>, server: ServerRow): Promise<Players> {
  const told = await filesOf({ fleet }, server).players(editionOf(server))
  return { ...told, onlineMode: told.onlineMode && !trustingEngines.includes(server.engine) }
}
