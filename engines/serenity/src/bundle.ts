/**
 * Bundles SerenityJS and our launcher into two files: the server, and the data of the one version of Minecraft that the
 * library speaks.
 *
 * The library is made to be installed beside its own folder of packages (a native database, pictures); what a server of
 * ours needs is the library's code alone.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BundledFile } from '@wakestone/engine-packing/artifact'
import { licences } from '@wakestone/engine-packing/licences'
import { rolldown, type Plugin } from 'rolldown'

/** Version of Minecraft that this version of the library speaks. */
export const MINECRAFT_VERSION = '1.26.20'

const stubbedPackages: Record<string, string> = {
  // Worlds are kept in files, skins are never drawn.
  '@serenityjs/leveldb': 'module.exports = { Leveldb: class {} }',
  '@napi-rs/canvas': 'module.exports = {}',
  jimp: 'module.exports = { Jimp: class {} }',
  // One use: the time at the start of a line, and the console is ours.
  moment: 'module.exports = () => ({ format: () => "" })',
}

/** Changes to the library's own code, which comes minified; each has to be found exactly once. */
const patches: { from: string; to: string; why: string }[] = [
  {
    why: 'the loop of ticks spins and takes half a core; with timers of 5 ms it takes a fortieth of one',
    from: 'if(s<.01)return setTimeout(r,0)',
    to: 'if(s<.01)return setTimeout(r,5)',
  },
  {
    why: 'the same loop, after a tick',
    from: 'this.currentTick++}return setImmediate(r)},"tick")',
    to: 'this.currentTick++}return setTimeout(r,5)},"tick")',
  },
  {
    why: 'clients from 1.26.10 on carry an identity without an account in a token instead of a certificate',
    from: 'if(!s)throw new Error("Invalid offline login: missing Certificate");let Vt=ds.parseOfflineCertificate(s);',
    to: 'let Vt=globalThis.wakestoneIdentity(n)??ds.parseOfflineCertificate(s);',
  },
  {
    why: 'the console is ours; a second reader would take lines away from it',
    from: 'terminal:!0});onLineHandler',
    to: 'terminal:!1});onLineHandler',
  },
]

function libraryPlugin(): Plugin {
  return {
    name: 'pruned-library',
    resolveId(source) {
      return source in stubbedPackages ? `\0stub:${source}` : null
    },
    load(id) {
      if (id.startsWith('\0stub:')) return stubbedPackages[id.slice('\0stub:'.length)]
      if (!id.replaceAll('\\', '/').endsWith('/@serenityjs/core/dist/index.js')) return null
      return patch(readFileSync(id, 'utf8'))
    },
  }
}

/** @throws Error when the library is not the one that the changes were made for */
function patch(code: string): string {
  return patches.reduce((text, { from, to, why }) => {
    const [before, after, ...more] = text.split(from)
    if (after === undefined || more.length > 0) throw new Error(`SerenityJS is another than expected: ${why}`)
    return `${before}${to}${after}`
  }, code)
}

/** @returns the files of the artifact, sorted by name; the same sources give the same bytes. */
export async function bundleServer(): Promise<BundledFile[]> {
  const build = await rolldown({
    input: fileURLToPath(new URL('game/server.ts', import.meta.url)),
    platform: 'node',
    plugins: [libraryPlugin()],
    onLog(level, log, handler) {
      if (log.code === 'UNRESOLVED_IMPORT' || log.code === 'EVAL' || log.code === 'COMMONJS_VARIABLE_IN_ESM') return
      handler(level, log)
    },
  })
  const { output } = await build.generate({ format: 'cjs', minify: { mangle: false, compress: false, codegen: true } })
  await build.close()
  const chunk = output[0]
  return [
    { name: 'server.js', content: Buffer.from(chunk.code) },
    {
      name: 'package.json',
      content: Buffer.from(
        `${JSON.stringify({ name: 'serenity-server', private: true, type: 'commonjs' }, null, 2)}\n`,
      ),
    },
    { name: 'LICENSES.txt', content: Buffer.from(licences(chunk.moduleIds)) },
  ].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
