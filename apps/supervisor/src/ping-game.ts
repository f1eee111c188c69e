/** Asks a game on this machine for its status, in the protocol that it speaks. */
import { askJoinStatus } from '@wakestone/bedrock/joining'
import { type BedrockPingOptions, pingBedrockServer } from '@wakestone/bedrock/ping-server'
import { pingServer } from '@wakestone/minecraft/ping-server'
import type { StatusSummary } from '@wakestone/minecraft/status'
import type { Launch } from '@wakestone/packager/manifest'

const ANSWER_MS = 2000

export function pingGame(port: number, probe: Launch['probe']): Promise<StatusSummary> {
  const place = { host: '127.0.0.1', port, timeoutMs: ANSWER_MS }
  return probe === 'bedrock' ? pingBedrock(place) : pingServer(place)
}

/** The answer of a Bedrock game, as that of another would be; newer ones answer by HTTP alone. */
async function pingBedrock(place: Required<BedrockPingOptions>): Promise<StatusSummary> {
  const byHttp = async () => {
    const { name, version, protocol, players: online, maxPlayers: max } = await askJoinStatus(place)
    return { motd: name, version, protocol, online, max }
  }
  const { motd, version, protocol, online, max } = await Promise.any([byHttp(), pingBedrockServer(place)])
  return { description: motd, version, protocol, online, max, names: [], icon: null }
}
