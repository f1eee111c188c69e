/**
 * Velocity, a proxy: players come to it through our gateway as to any game, and it hands them on to the servers that its
 * owner names in `velocity.toml`, telling those who they are by modern forwarding.
 */
import type { EngineBuild } from './engine.ts'
import { sealEngine } from './engine-manifest.ts'
import { collectorFlags, endFlags } from './jar-launch.ts'

type Asked = {
  version: string
  build: number
  channel: string
  java: number
  files: Parameters<typeof sealEngine>[0]['files']
}

/**
 * What a new proxy starts with; from then on the file is its owner's. The program writes all other settings beside it, and
 * a secret of its own into `forwarding.secret`, which the servers behind it have to know.
 */
const config = ({
  motd,
  players,
}: {
  motd: string
  players: number | null
}) => `# Velocity, as it was set up with this server. Name the servers behind it under [servers].
config-version = "2.7"
# Players come through the gateway; the port is given anew at each start.
bind = "127.0.0.1:25565"
motd = ${quoted(motd)}
show-max-players = ${players ?? 500}
online-mode = true
force-key-authentication = true
# Each server behind has to be set to the same, with the text of forwarding.secret: it then takes players from here alone.
player-info-forwarding-mode = "modern"
forwarding-secret-file = "forwarding.secret"

[servers]
# lobby = "example.org:25566"
try = []

[forced-hosts]

[advanced]
# The gateway is the only one that knocks, so that all players would share one address's limit.
login-ratelimit = 0
`

/** A text of TOML. The message of the list of servers is MiniMessage there, which a name must not be read as. */
const quoted = (text: string) => JSON.stringify(text.replaceAll('<', '\\<')).replaceAll('\u007f', '\\u007F')

export function velocityBuild({ version, build, channel, java, files }: Asked): Omit<EngineBuild, 'java'> {
  const manifest = sealEngine({
    id: 'velocity',
    version,
    minecraft: null,
    game: 'minecraft-java',
    // Its builds are counted through all versions.
    build: `${version}+${build}`,
    format: 'semver',
    java,
    labels: { channel: channel.toLowerCase(), build: String(build) },
    files,
  })
  return {
    manifest,
    files: [],
    settings: ({ motd, players }) => [{ path: 'velocity.toml', content: config({ motd, players }), mode: 'create' }],
    launch: {
      command: [
        '{JAVA}',
        '-Xms64M',
        '-Xmx{HEAP_MB}M',
        '-Dfile.encoding=UTF-8',
        ...collectorFlags(java),
        ...endFlags,
        '-jar',
        '{DIR:velocity}/velocity.jar',
        '--port',
        '{PORT}',
      ],
      env: {},
      stopCommand: 'shutdown',
    },
  }
}
