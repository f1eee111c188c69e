/** The configuration that every new server starts with. */
import { formatProperties } from '@wakestone/minecraft/properties'
import type { InstallPlan } from '@wakestone/packager/manifest'

type Wish = { motd: string; players: number | null; needsEula: boolean }

/**
 * `server.properties` keeps every key that the owner has set. `server-ip` binds the game to the loopback address:
 * players come through the gateway. The port is no setting but an argument, since it changes from start to start.
 */
export function serverFiles({ motd, players, needsEula }: Wish): InstallPlan['files'] {
  const properties = formatProperties({
    'server-ip': '127.0.0.1',
    motd,
    ...(players === null ? {} : { 'max-players': String(players) }),
  })
  return [
    { path: 'server.properties', content: properties, mode: 'merge-properties' },
    // Mojang's terms are part of ours, and nobody can order a server without accepting those.
    ...(needsEula ? [{ path: 'eula.txt', content: 'eula=true\n', mode: 'replace' as const }] : []),
  ]
}

/**
 * Of a Bedrock server. Whoever is in the same network is not to find it past the gateway, and the list of who may come in
 * is there for its owner to fill. The launch sets the port.
 */
export function bedrockFiles({ motd, players }: Omit<Wish, 'needsEula'>): InstallPlan['files'] {
  const properties = {
    // The format knows no escapes, and the list of servers takes a semicolon for the end.
    'server-name': motd.replace(/\s*[\r\n;]\s*/g, ' '),
    ...(players === null ? {} : { 'max-players': String(players) }),
    'enable-lan-visibility': 'false',
  }
  const lines = Object.entries(properties).map(([key, value]) => `${key}=${value}\n`)
  return [
    { path: 'server.properties', content: lines.join(''), mode: 'merge-properties' },
    { path: 'allowlist.json', content: '[]\n', mode: 'create' },
    { path: 'permissions.json', content: '[]\n', mode: 'create' },
  ]
}
