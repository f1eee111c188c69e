import type { Settings } from '@wakestone/kit/settings'

const standardPort = { java: 25565, bedrock: 19132 }

/**
 * What a player types to join: clients assume the standard port, any other has to be said.
 * @param bedrockPort of a server of Bedrock Edition, else null
 * @param hasSrv a record of the name tells the port: games of Java Edition ask for it
 */
export function joinAddress(
  host: string,
  { GAME_PORT }: Pick<Settings, 'GAME_PORT'>,
  bedrockPort: number | null = null,
  hasSrv = false,
): string {
  const [port, standard] = bedrockPort === null ? [GAME_PORT, standardPort.java] : [bedrockPort, standardPort.bedrock]
  return port === standard || (hasSrv && bedrockPort === null) ? host : `${host}:${port}`
}
