import type { EngineId, Server } from '@wakestone/contract/servers/server'

/** Address of a server's page: by its name for people, by its id when it has none. */
export function serverPath(server: Pick<Server, 'id' | 'domains'>): string {
  const primary = server.domains.find((domain) => domain.kind === 'primary') ?? server.domains[0]
  return `/s/${primary?.sub_domain ?? server.id}`
}

/** `AMETHYST` → `Amethyst`: the plans' names are the same in every language. */
export function planName(productId: string): string {
  return productId.charAt(0) + productId.slice(1).toLowerCase().replaceAll('_', ' ')
}

const engineNames: Record<string, string> = {
  'flying-squid': 'flying-squid',
  paper: 'Paper',
  purpur: 'Purpur',
  folia: 'Folia',
  fabric: 'Fabric',
  quilt: 'Quilt',
  neoforge: 'NeoForge',
  forge: 'Forge',
  vanilla: 'Vanilla',
  spigot: 'Spigot',
  'own-jar': 'server.jar',
  velocity: 'Velocity',
  'bedrock-dedicated': 'Bedrock Dedicated Server',
  pocketmine: 'PocketMine-MP',
  nukkit: 'Nukkit',
  powernukkitx: 'PowerNukkitX',
  serenity: 'SerenityJS',
} satisfies Record<EngineId, string>

/** Whether an id is that of an engine. */
export const isEngine = (id: string) => Object.hasOwn(engineNames, id)

/** What players have to have: the version of the game, or the engine's own where it speaks several. */
export const gameOrEngineVersion = ({ parameters }: Pick<Server, 'parameters'>): string =>
  parameters.game_version ?? parameters.engine_version

export function engineName(engine: string): string {
  return engineNames[engine] ?? engine
}
