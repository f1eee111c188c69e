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
  'own-jar': 'server.jar',
  'bedrock-dedicated': 'Bedrock Dedicated Server',
  serenity: 'SerenityJS',
} satisfies Record<EngineId, string>

/** Whether an id is that of an engine. */
export const isEngine = (id: string) => Object.hasOwn(engineNames, id)

export function engineName(engine: string): string {
  return engineNames[engine] ?? engine
}
