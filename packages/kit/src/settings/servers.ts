/** Games, clusters and the gateway before them. */
import { z } from 'zod'
import { flag, listOf, port, text, url, type Setting } from './setting.ts'

/** An address, or with `/bits` a range of them. */
const ipRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
const ipAddress = z.union([z.ipv4(), z.ipv6()])

const portRange = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/)
  .transform((range) => {
    const [first = 0, last = 0] = range.split('-').map(Number)
    return { first, last }
  })
  .refine(({ first, last }) => first >= 1 && first <= last && last <= 65_535)

const numbersByName = z
  .string()
  .regex(/^([A-Z0-9_]{1,64}:\d{1,5}(,|$))*$/)
  .transform(
    (list) =>
      Object.fromEntries(
        list
          .split(',')
          .filter((part) => part !== '')
          .map((part) => [part.split(':')[0]!, Number(part.split(':')[1])]),
      ) as Partial<Record<string, number>>,
  )

export const servers = {
  MAX_PLUGINS: {
    group: 'Servers',
    about: 'How many plugins and mods a server may have, by plan. Plans that are not listed have no limit.',
    takes: 'names of products with numbers, as in `FREE:20,GRASS:60`',
    schema: numbersByName,
    fallback: 'FREE:20',
  },
  BLACKLISTED_PACKAGES: {
    group: 'Servers',
    about: 'Packages that no server may have, by their names.',
    takes: 'names, comma-separated, as in `shops,modrinth:P7dR8mSH`',
    schema: listOf(z.string().max(150)),
    fallback: '',
  },
  GAME_HOST: {
    group: 'Gateway',
    about: 'Address to listen on for players. Unset: every address, IPv4 and IPv6.',
    takes: 'an IP address',
    schema: text.optional(),
  },
  API_URL: {
    group: 'Gateway',
    about: 'Where the gateway finds the API. Unset: `http://127.0.0.1:HTTP_PORT`.',
    takes: 'an http(s) address',
    schema: url.optional(),
  },
  GATEWAY_PROXY_IN: {
    group: 'Gateway',
    about: 'Expect PROXY protocol v2 in front of every connection.',
    takes: '`0` or `1`',
    schema: flag,
    fallback: '0',
  },
  GATEWAY_REUSE_PORTS: {
    group: 'Gateway',
    about:
      'Listen on `GAME_PORT` and `SFTP_PORT` alongside another gateway of the same user that also has this set, so that a new version can start before the old one ends.',
    takes: '`0` or `1`',
    schema: flag,
    fallback: '0',
  },
  GATEWAY_DRAIN_SECONDS: {
    group: 'Gateway',
    about:
      'How long a gateway that is told to stop waits for players connected through it; it accepts nobody new. 0: it stops at once.',
    takes: 'seconds',
    schema: z.coerce.number().int().min(0).max(604_800),
    fallback: '0',
  },
  GATEWAY_CONNECTIONS_PER_ADDRESS: {
    group: 'Gateway',
    about: 'Open connections that one address may hold.',
    takes: 'a number',
    schema: z.coerce.number().int().min(1),
    fallback: '64',
  },
  GATEWAY_CONNECTION_RATE: {
    group: 'Gateway',
    about: 'New connections that one address may open in 10 s.',
    takes: 'a number',
    schema: z.coerce.number().int().min(1),
    fallback: '200',
  },
  GATEWAY_HANDSHAKE_SECONDS: {
    group: 'Gateway',
    about: 'Time a client has for its handshake.',
    takes: 'seconds',
    schema: z.coerce.number().min(0.1).max(60),
    fallback: '5',
  },
  BEDROCK_PORTS: {
    group: 'Gateway',
    about: 'Ports for Bedrock Edition servers, one for each: UDP, and TCP for versions since 1.26.50.',
    takes: 'a range of ports, `first-last`',
    schema: portRange,
    fallback: '19132-19631',
  },
  EXTRA_PORTS: {
    group: 'Gateway',
    about:
      'Extra ports that customers can take for their servers, TCP and UDP together: voice chat, maps, votes. Nothing else may listen on them. No port in 24000–31999 or BEDROCK_PORTS.',
    takes: 'a range of ports, `first-last`',
    schema: portRange,
    fallback: '20000-20999',
  },
  EXTRA_PORTS_PER_DAY: {
    group: 'Gateway',
    about: 'How many of those ports one server may take or exchange in 24 hours.',
    takes: 'a number',
    schema: z.coerce.number().int().min(1).max(1_000),
    fallback: '10',
  },
  PORT_CONNECTIONS_PER_ADDRESS: {
    group: 'Gateway',
    about:
      'Connections that one address may hold on one of those ports; with UDP, each of its source ports counts as one.',
    takes: 'a number',
    schema: z.coerce.number().int().min(1),
    fallback: '16',
  },
  PORT_CONNECTIONS_PER_NETWORK: {
    group: 'Gateway',
    about: 'The same for a network: a /24 for IPv4, a /48 for IPv6.',
    takes: 'a number',
    schema: z.coerce.number().int().min(1),
    fallback: '64',
  },
  PORT_CONNECTIONS: {
    group: 'Gateway',
    about: 'TCP connections on one of those ports, and as many UDP ones.',
    takes: 'a number',
    schema: z.coerce.number().int().min(1),
    fallback: '500',
  },
  BEDROCK_JOIN_PORT: {
    group: 'Gateway',
    about: 'TCP port on which Bedrock servers of versions since 1.26.50 are found by name.',
    takes: 'a port',
    schema: z.coerce.number().int().min(1).max(65_535),
    fallback: '19132',
  },
  BEDROCK_TLS_CERT: {
    group: 'Gateway',
    about: 'Certificate file for those TCP ports. Unset: players are asked once whether they trust a server.',
    takes: 'a path (PEM)',
    schema: text.optional(),
  },
  BEDROCK_TLS_KEY: {
    group: 'Gateway',
    about: 'Key file of that certificate.',
    takes: 'a path (PEM)',
    schema: text.optional(),
  },
  PUBLIC_ADDRESS: {
    group: 'Gateway',
    about:
      'Address at which players reach the gateway, if they come through NAT. Bedrock clients are told this address.',
    takes: 'an IP address',
    schema: ipAddress.optional(),
  },
  GATEWAY_WAKES_PER_ADDRESS: {
    group: 'Gateway',
    about: 'Sleeping servers that players from one address may wake in 10 minutes.',
    takes: 'a number',
    schema: z.coerce.number().int().min(1),
    fallback: '10',
  },
  GATEWAY_WAKES_PER_NETWORK: {
    group: 'Gateway',
    about: 'The same for a network: a /24 for IPv4, a /48 for IPv6.',
    takes: 'a number',
    schema: z.coerce.number().int().min(1),
    fallback: '40',
  },
  GATEWAY_WAKES_PER_SERVER: {
    group: 'Gateway',
    about: 'How often players may wake one server in 10 minutes.',
    takes: 'a number',
    schema: z.coerce.number().int().min(1),
    fallback: '20',
  },
  GATEWAY_ATTACK_NEWCOMERS: {
    group: 'Gateway',
    about: 'This many players in 10 seconds who have never been on a server count as a bot attack on it.',
    takes: 'a number from 2 to 128',
    schema: z.coerce.number().int().min(2).max(128),
    fallback: '20',
  },
  GATEWAY_ATTACK_QUIET_SECONDS: {
    group: 'Gateway',
    about: 'A bot attack is over once it has been quiet for this long.',
    takes: 'seconds',
    schema: z.coerce.number().int().min(5).max(3600),
    fallback: '120',
  },
  GATEWAY_NEWCOMERS_PER_ADDRESS: {
    group: 'Gateway',
    about: 'While bots are kept out: how often newcomers from one address (a /64 for IPv6) may try to join per minute.',
    takes: 'a number',
    schema: z.coerce.number().int().min(2),
    fallback: '6',
  },
  GATEWAY_NEWCOMERS_PER_NETWORK: {
    group: 'Gateway',
    about: 'The same for a network: a /24 for IPv4, a /48 for IPv6.',
    takes: 'a number',
    schema: z.coerce.number().int().min(2),
    fallback: '20',
  },
  GATEWAY_NEWCOMERS_PER_SERVER: {
    group: 'Gateway',
    about: 'While bots are kept out: newcomers that a server accepts per minute.',
    takes: 'a number',
    schema: z.coerce.number().int().min(1),
    fallback: '30',
  },
  ALLOW_UNSANDBOXED: {
    group: 'Servers',
    about: 'Run games without a sandbox if bubblewrap cannot run. Unsafe.',
    takes: '`0` or `1`',
    schema: flag,
    fallback: '0',
  },
  SLEEP_MINUTES_AFTER_START: {
    group: 'Servers',
    about: 'A server that nobody joins after its start does not sleep before this time has passed.',
    takes: 'minutes',
    schema: z.coerce.number().min(0).max(1440),
    fallback: '5',
  },
  WORKLOAD_LINGER_SECONDS: {
    group: 'Servers',
    about: 'How long a server’s supervisor stays up without a game after it was last used.',
    takes: 'seconds',
    schema: z.coerce.number().int().min(1).max(86_400),
    fallback: '60',
  },
  ALLOW_MISSING_WALLS: {
    group: 'Servers',
    about:
      'Walls that servers may be without in production if the machine cannot provide them, comma-separated: `network` (own network), `disk` (a quota that refuses writes), `memory` (limits on memory, processor and processes). Outside production, missing ones are only reported.',
    takes: 'names',
    schema: listOf(z.enum(['network', 'disk', 'memory'])),
    fallback: '',
  },
  SERVER_INTERNET: {
    group: 'Servers',
    about: 'Whether games can reach the internet. Players can reach them in either case.',
    takes: '`0` or `1`',
    schema: flag,
    fallback: '1',
  },
  SERVER_REACHES: {
    group: 'Servers',
    about:
      'Addresses and ranges outside the internet that games may reach nevertheless, comma-separated; all other private, local and metadata addresses are blocked.',
    takes: 'addresses, such as `10.0.7.5` or `10.0.8.0/24`',
    schema: listOf(ipRange),
    fallback: '',
  },
  SERVER_DNS: {
    group: 'Servers',
    about: 'DNS resolvers for games, comma-separated. Unset: those of this machine, unless it is its own resolver.',
    takes: 'IP addresses',
    schema: listOf(ipAddress),
    fallback: '',
  },
  DISK_FLOOR: {
    group: 'Servers',
    about:
      'Free space reserved for the database on the disk of `DATA_DIR`. Below it the standalone stops all games, worlds saved, and starts those with autostart again once half as much again is free. A quarter of it is set aside in `DATA_DIR/reserve`. `0`: games are never stopped for it.',
    takes: 'MiB',
    schema: z.coerce.number().int().min(0),
    fallback: '512',
  },
  HOLD_SERVERS: {
    group: 'Servers',
    about: 'Make a worker start and watch no servers; set by the standalone while the disk is nearly full.',
    takes: '`0` or `1`',
    schema: flag,
    fallback: '0',
  },
  BWRAP_PATH: {
    group: 'Servers',
    about: 'The bubblewrap program.',
    takes: 'a path or name',
    schema: text,
    fallback: 'bwrap',
  },
  CRIU_PATH: {
    group: 'Servers',
    about:
      'The CRIU program, 4.2 or later. If a test at the start shows that it works, a server in deep sleep keeps its memory on disk and is back within seconds (see [sleep](sleep.md)). `off`: servers in deep sleep are stopped.',
    takes: 'a path or name, or `off`',
    schema: text,
    fallback: 'criu',
  },
  AGENT_PORT: {
    group: 'Agents',
    about: 'Port on which the agent of another machine listens for the panel and the gateways.',
    takes: 'a port, 0–65535',
    schema: port,
    fallback: '8470',
  },
  AGENT_HOST: {
    group: 'Agents',
    about: 'Address on which it listens. Unset: every address, IPv4 and IPv6.',
    takes: 'an IP address',
    schema: ipAddress.optional(),
  },
  MOJANG_META_URL: {
    group: 'Servers',
    about: 'Version manifest of Minecraft.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://piston-meta.mojang.com/mc/game/version_manifest_v2.json',
  },
  MOJANG_PROFILES_URL: {
    group: 'Servers',
    about: 'Where the UUID of a Java player is looked up by name, before `/NAME`.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://api.mojang.com/users/profiles/minecraft',
  },
  KEEP_PLAYER_SESSIONS_DAYS: {
    group: 'Servers',
    about: 'Days for which it is recorded who played on a server, and when.',
    takes: 'a number from 1 to 400',
    schema: z.coerce.number().int().min(1).max(400),
    fallback: '180',
  },
  PAPER_FILL_URL: {
    group: 'Servers',
    about: 'PaperMC’s Fill API, version 3.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://fill.papermc.io/v3',
  },
  PURPUR_URL: {
    group: 'Servers',
    about: 'Purpur’s API, version 2.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://api.purpurmc.org/v2',
  },
  FABRIC_META_URL: {
    group: 'Servers',
    about: 'Fabric’s meta API, version 2.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://meta.fabricmc.net/v2',
  },
  QUILT_META_URL: {
    group: 'Servers',
    about: 'Quilt’s meta API, version 3.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://meta.quiltmc.org/v3',
  },
  FORGE_FILES_URL: {
    group: 'Servers',
    about: 'Forge’s site, for the list of builds.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://files.minecraftforge.net',
  },
  FORGE_MAVEN_URL: {
    group: 'Servers',
    about: 'Forge’s repository, for its installers.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://maven.minecraftforge.net',
  },
  NEOFORGE_MAVEN_URL: {
    group: 'Servers',
    about: 'NeoForge’s repository, for its list of builds and its installers.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://maven.neoforged.net',
  },
  BEDROCK_LINKS_URL: {
    group: 'Servers',
    about: 'Mojang’s list of downloads, for Bedrock Dedicated Server.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://net.web.minecraft-services.net/api/v1.0/download/links',
  },
  SPIGOT_HUB_URL: {
    group: 'Servers',
    about: 'Spigot’s hub, for BuildTools and the versions it can build.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://hub.spigotmc.org',
  },
  NUKKIT_MAVEN_URL: {
    group: 'Servers',
    about: 'The repository of Nukkit’s snapshots.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://repo.opencollab.dev/maven-snapshots',
  },
  GITHUB_API_URL: {
    group: 'Servers',
    about: 'GitHub’s API, for releases of PocketMine-MP, its PHP and PowerNukkitX.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://api.github.com',
  },
  ADOPTIUM_URL: {
    group: 'Servers',
    about: 'Adoptium’s API, for Java.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://api.adoptium.net/v3',
  },
  MOVE_WARNING_SECONDS: {
    group: 'Servers',
    about: 'How long before a move to another cluster the players in a game are warned. 0: the server moves at once.',
    takes: 'a number',
    schema: z.coerce.number().int().min(0).max(600),
    fallback: '30',
  },
  EVACUATION_MOVES_AT_ONCE: {
    group: 'Servers',
    about: 'How many servers of a cluster that is being evacuated move at the same time.',
    takes: 'a number',
    schema: z.coerce.number().int().min(1).max(50),
    fallback: '2',
  },
  MAPS_AT_ONCE: {
    group: 'Servers',
    about:
      'Maps that are drawn at the same time each night, each with two threads. Maps that someone asks for do not wait.',
    takes: 'a number',
    schema: z.coerce.number().int().min(1).max(100),
    fallback: '1',
  },
  MAP_LIVE_MINUTES: {
    group: 'Servers',
    about:
      'While someone who may see a server is viewing its map and the game is running, changes are redrawn at this interval, as far as MAPS_AT_ONCE leaves room; for servers with the map add-on. 0: only once a day.',
    takes: 'a number',
    schema: z.coerce.number().int().min(0).max(1440),
    fallback: '5',
  },
} as const satisfies Record<string, Setting>
