/**
 * Bundles flying-squid, our launcher and the data of one Minecraft version into a handful of files.
 *
 * The library reaches for every version's data and for parts that an offline server never runs (accounts,
 * HTTP, old world formats). What it needs is some 5 MB; what npm installs for it is some 460 MB.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { BundledFile } from '@wakestone/engine-packing/artifact'
import { bundleServer } from '@wakestone/engine-packing/bundle'

const require = createRequire(import.meta.url)

export const MINECRAFT_VERSION = '1.21.4'

/** Data of the version that the server reads; recipes, texts and the like are left out. */
const dataSets = [
  'biomes',
  'blockCollisionShapes',
  'blockLoot',
  'blocks',
  'effects',
  'enchantments',
  'entities',
  'items',
  'loginPacket',
  'materials',
  'protocol',
  'sounds',
  'version',
  'windows',
]

/** Modules an offline server of this one version never uses, by the end of their path. */
const stubs: Record<string, string> = {
  'minecraft-protocol/src/createClient.js': 'module.exports = () => { throw new Error("no client in this bundle") }',
  'minecraft-protocol/src/ping.js': 'module.exports = () => { throw new Error("no client in this bundle") }',
  'prismarine-provider-anvil/src/1.8/chunk.js': 'module.exports = () => ({})',
  'prismarine-provider-anvil/src/1.13/chunk.js': 'module.exports = () => ({})',
  'prismarine-provider-anvil/src/1.14/chunk.js': 'module.exports = () => ({})',
  'minecraft-data/minecraft-data/data/pc/common/legacy.json': '{"blocks":{},"items":{}}',
  'minecraft-data/minecraft-data/data/bedrock/common/legacy.json': '{}',
  'minecraft-data/minecraft-data/data/bedrock/common/features.json': '[]',
  'minecraft-data/minecraft-data/data/bedrock/common/versions.json': '[]',
  'minecraft-data/minecraft-data/data/bedrock/common/protocolVersions.json': '[]',
}

const stubbedPackages: Record<string, string> = {
  // Only online mode talks to Mojang.
  yggdrasil: 'module.exports = { server: () => ({}) }',
  'node-rsa': 'module.exports = class { constructor() { throw new Error("no online mode in this bundle") } }',
  needle: 'module.exports = async () => { throw new Error("no network in this bundle") }',
  // Checks the library's own description of the protocol at every start, for two seconds.
  'protodef-validator': 'module.exports = class { addType() {} validateType() {} validateProtocol() {} }',
  // One use: the time of a ban.
  moment: 'module.exports = () => Date.now()',
}

const pluginDir = join(dirname(require.resolve('flying-squid')), 'src/lib/plugins')

/** Code in the place of a module of the library. */
function loadPruned(path: string): string | null {
  for (const [end, code] of Object.entries(stubs)) if (path.endsWith(`/node_modules/${end}`)) return code
  if (path.includes('/minecraft-data/minecraft-data/schemas/')) return '{}'
  if (path.endsWith('/node_modules/minecraft-data/data.js')) return dataModule()
  if (path.endsWith('/node_modules/flying-squid/src/index.js')) return patientLibrary(path)
  return path === `${pluginDir.replaceAll('\\', '/')}/index.js` ? pluginsModule() : null
}

/**
 * If its plugins take longer than five seconds, as on a busy machine, the library stops waiting: it never becomes ready and
 * does not exit either. The supervisor has its own time limit, so the library may wait longer.
 */
function patientLibrary(path: string): string {
  const patient = readFileSync(path, 'utf8').replaceAll(/(onceWithTimeout\([^()]+), 5000\)/g, '$1, 600_000)')
  if (patient.split('600_000').length !== 3) throw new Error('flying-squid waits for itself in another way now')
  return patient
}

/** Stands in for the library's table of all versions: one version, each data set read when it is first asked for. */
function dataModule(): string {
  const getters = dataSets.map((name) => `get ${name} () { return read('${name}') }`)
  return `const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const read = (name) => JSON.parse(readFileSync(join(__dirname, 'data', name + '.json'), 'utf8'))
module.exports = { pc: { '${MINECRAFT_VERSION}': { ${getters.join(', ')} } }, bedrock: {} }`
}

/** The library lists its plugin folder at run time; a bundle has no folder. `log.js` is replaced by our console. */
function pluginsModule(): string {
  const names = readdirSync(pluginDir)
    .filter((name) => name.endsWith('.js') && name !== 'index.js' && name !== 'log.js')
    .toSorted()
  return `exports.builtinPlugins = null
exports.initPlugins = () => {
  exports.builtinPlugins = [globalThis.wakestoneConsolePlugin, ${names.map((name) => `require('./${name}')`).join(', ')}]
}`
}

/** @returns the files of the artifact, sorted by name; the same sources give the same bytes. */
export const bundleFlyingSquid = (): Promise<BundledFile[]> =>
  bundleServer({
    entry: new URL('game/server.ts', import.meta.url),
    name: 'flying-squid-server',
    stubbedPackages,
    load: loadPruned,
    more: dataSets.map((name) => ({ name: `data/${name}.json`, content: dataSet(name) })),
  })

function dataSet(name: string): Buffer {
  const source = readFileSync(join(dirname(require.resolve('minecraft-data')), 'data.js'), 'utf8')
  const version = source.slice(source.indexOf(`'pc'`)).split(`'${MINECRAFT_VERSION}': {`)[1]!
  const path = new RegExp(`get ${name} \\(\\) \\{ return require\\("\\./([^"]+)"\\)`).exec(version)![1]!
  return Buffer.from(
    JSON.stringify(JSON.parse(readFileSync(join(dirname(require.resolve('minecraft-data')), path), 'utf8'))),
  )
}
