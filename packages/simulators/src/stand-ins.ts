/** The files that the simulated catalogues hand out. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

export type StandIn = { name: string; content: Buffer; sha1: string; sha256: string; size: number }

/** A server jar that the stand-in Java runs. */
export function makeServerJar(game: StandInGame): StandIn {
  return describe(`${game.engine}-${game.version}.jar`, Buffer.from(serverSource(game)))
}

type StandInGame = { engine: 'vanilla' | 'paper' | 'velocity'; version: string; protocol: number }

function serverSource({ engine, version, protocol }: StandInGame): string {
  const source = readFileSync(new URL('stand-in-game.cjs', import.meta.url), 'utf8')
  const management = readFileSync(new URL('stand-in-management.cjs', import.meta.url), 'utf8')
  return source
    .replace(/^const STAND_IN = .*$/m, `const STAND_IN = ${JSON.stringify({ engine, version, protocol })}`)
    .replace(
      /^const \{ startManagement \} = .*$/m,
      () => `const { startManagement } = ((module) => {\n${management}\nreturn module.exports\n})({})`,
    )
}

/**
 * An installer as those of Forge and NeoForge: with `--installServer` it lays a server out in the folder it runs in.
 * @param folder of the server within `libraries`; null: a jar at the top, as those for old versions do
 */
export function makeInstaller({
  name,
  folder,
  ...game
}: Omit<StandInGame, 'engine'> & { name: string; folder: string | null }): StandIn {
  const jar = folder === null ? `${name}.jar` : `libraries/${folder}/server.jar`
  const files = {
    [jar]: serverSource({ engine: 'vanilla', ...game }),
    ...(folder !== null && { [`libraries/${folder}/unix_args.txt`]: `-DlibraryDirectory=libraries -jar ${jar}\n` }),
  }
  const program = `'use strict'
const { mkdirSync, writeFileSync } = require('node:fs')
const { dirname } = require('node:path')
if (process.argv[2] !== '--installServer') process.exit(1)
for (const [path, content] of Object.entries(${JSON.stringify(files)})) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
console.log('The server installed successfully')
`
  return describe(`${name}-installer.jar`, Buffer.from(program))
}

/** A library, which nothing reads. */
export const makeLibrary = (name: string): StandIn => describe(name, Buffer.from(`library ${name}\n`))

/**
 * A Java whose `java` runs the jar with the Node that sandboxes show; where there is none, with the program that has
 * started it, which is a supervisor's Node then.
 */
export function makeJre(major: number, kind: 'jre' | 'jdk' = 'jre'): StandIn {
  const release = `jdk-${major}.0.1+8${kind === 'jre' ? '-jre' : ''}`
  const script = `#!/bin/sh
node=/opt/wakestone/bin/node
game=
while [ $# -gt 0 ]; do
  case "$1" in
    -version) echo 'openjdk version "${major}.0.1"' >&2; exit 0 ;;
    @*) arguments="\${1#@}"; shift; set -- ignored $(cat "$arguments") "$@" ;;
    -Dfabric.gameJarPath=*|-Dloader.gameJarPath=*) game="\${1#*=}" ;;
    -cp) shift 2; set -- -jar "$game" "$@"; continue ;;
    -jar) shift; [ -x "$node" ] || node="/proc/$PPID/exe"; exec "$node" "$@" ;;
  esac
  shift
done
echo 'no jar' >&2
exit 1
`
  const archive = makeTarGz([
    { path: `${release}/`, mode: 0o755, content: '' },
    { path: `${release}/bin/`, mode: 0o755, content: '' },
    { path: `${release}/bin/java`, mode: 0o755, content: script },
    ...(kind === 'jdk' ? [{ path: `${release}/bin/javac`, mode: 0o755, content: '#!/bin/sh\n' }] : []),
    { path: `${release}/release`, mode: 0o644, content: `JAVA_VERSION="${major}.0.1"\n` },
  ])
  return describe(`OpenJDK${major}U-${kind}_x64_linux_hotspot_${major}.0.1_8.tar.gz`, archive)
}

/** Bedrock Dedicated Server: a program in a zip, which runs on Node as the stand-in Java does. */
export function makeBedrockServer({ version, protocol }: { version: string; protocol: number }): StandIn {
  const source = readFileSync(new URL('stand-in-bedrock.cjs', import.meta.url), 'utf8')
  const program = source.replace(/^const STAND_IN = .*$/m, `const STAND_IN = ${JSON.stringify({ version, protocol })}`)
  const script = `#!/bin/sh
node=/opt/wakestone/bin/node
[ -x "$node" ] || node="/proc/$PPID/exe"
exec "$node" "$(dirname "$0")/server.cjs"
`
  const archive = makeZip([
    { path: 'bedrock_server', content: script },
    { path: 'server.cjs', content: program },
    { path: 'behavior_packs/vanilla/manifest.json', content: '{"format_version":2}\n' },
    { path: 'resource_packs/vanilla/manifest.json', content: '{"format_version":2}\n' },
    { path: 'release-notes.txt', content: `${version}\n` },
  ])
  return describe(`bedrock-server-${version}.zip`, archive)
}

type RakNetGame = { name: 'PocketMine-MP' | 'Nukkit' | 'PowerNukkitX'; version: string; game: string; file: string }

/** A server for Bedrock Edition as others have written them: a program that the stand-in Java and PHP run. */
export function makeRakNetServer({ file: name, ...game }: RakNetGame): StandIn {
  const source = readFileSync(new URL('stand-in-raknet.cjs', import.meta.url), 'utf8')
  const told = JSON.stringify({ ...game, protocol: 800 })
  return describe(name, Buffer.from(source.replace(/^const STAND_IN = .*$/m, `const STAND_IN = ${told}`)))
}

/** PocketMine-MP's PHP, which runs its program with Node; an extension's folder has to be named to it, as there. */
export function makePhp(version: string): StandIn {
  const script = `#!/bin/sh
node=/opt/wakestone/bin/node
[ -x "$node" ] || node="/proc/$PPID/exe"
extensions=
while [ "$1" = -d ]; do
  case "$2" in extension_dir=*) extensions="\${2#*=}" ;; esac
  shift 2
done
[ -f "$extensions/opcache.so" ] || { echo 'PHP Warning: Unable to load dynamic library' >&2; exit 1; }
exec "$node" --input-type=commonjs -e 'require("node:vm"); process.argv.splice(1, 0, "php"); eval(require("node:fs").readFileSync(process.argv[2], "utf8"))' "$@"
`
  const archive = makeTarGz([
    { path: 'bin/', mode: 0o755, content: '' },
    { path: 'bin/php7/', mode: 0o755, content: '' },
    { path: 'bin/php7/bin/', mode: 0o755, content: '' },
    { path: 'bin/php7/bin/php', mode: 0o755, content: script },
    { path: 'bin/php7/lib/', mode: 0o755, content: '' },
    { path: 'bin/php7/lib/no-debug-zts-1/', mode: 0o755, content: '' },
    { path: 'bin/php7/lib/no-debug-zts-1/opcache.so', mode: 0o644, content: '' },
  ])
  return describe(`PHP-${version}-Linux-x86_64-PM5.tar.gz`, archive)
}

/** BuildTools: lays a server out where it is told to, as the real one does after minutes. It asks for a compiler. */
export function makeBuildTools(): StandIn {
  const jars = Object.fromEntries(
    [
      ['1.16.5', 754],
      ['1.20.4', 765],
      ['1.21.4', 769],
      ['1.21.11', 774],
      ['26.1.2', 775],
    ].map(([version, protocol]) => [
      version,
      serverSource({ engine: 'paper', version: String(version), protocol: Number(protocol) }),
    ]),
  )
  const program = `'use strict'
const { mkdirSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const value = (name) => process.argv[process.argv.indexOf(name) + 1]
const jar = ${JSON.stringify(jars)}[value('--rev')]
if (jar === undefined) { console.error('Could not get version ' + value('--rev')); process.exit(1) }
console.log('Loading BuildTools version: git-BuildTools-195')
for (const folder of ['BuildData', 'Bukkit', 'CraftBukkit', 'Spigot', 'work']) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'pom.xml'), '<project/>')
}
writeFileSync(join(value('--output-dir'), value('--final-name')), jar)
console.log('Success! Everything completed successfully. Copying final .jar files now.')
`
  return describe('BuildTools.jar', Buffer.from(program))
}

function describe(name: string, content: Buffer): StandIn {
  const digest = (algorithm: string) => createHash(algorithm).update(content).digest('hex')
  return { name, content, sha1: digest('sha1'), sha256: digest('sha256'), size: content.length }
}

type TarEntry = { path: string; mode: number; content: string }

/** A zip of deflated entries, as made on a machine that knows no permissions. */
export function makeZip(entries: Pick<TarEntry, 'path' | 'content'>[]): Buffer<ArrayBuffer> {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, content } of entries) {
    const name = Buffer.from(path)
    const body = Buffer.from(content)
    const packed = deflateRawSync(body)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0) // version that is needed
    common.writeUInt16LE(8, 4) // deflated
    common.writeUInt32LE(crc32(body), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(body.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), common, rest, name]))
    parts.push(local)
    offset += local.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

/** A gzipped tar of the ustar kind. */
function makeTarGz(entries: TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, mode, content }) => {
    const body = Buffer.from(content)
    const padding = Buffer.alloc((512 - (body.length % 512)) % 512)
    return [tarHeader({ path, mode, size: body.length }), body, padding]
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}

function tarHeader({ path, mode, size }: { path: string; mode: number; size: number }): Buffer {
  const header = Buffer.alloc(512)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(path, 0, 100)
  header.write(octal(mode, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(0, 11), 136)
  header.write(' '.repeat(8), 148)
  header.write(path.endsWith('/') ? '5' : '0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
