/**
 * Bundles SerenityJS and our launcher into two files: the server, and the data of the one version of Minecraft that the
 * library speaks.
 *
 * The library is made to be installed beside its own folder of packages (a native database, pictures); what a server of
 * ours needs is the library's code alone.
 */
import { readFileSync } from 'node:fs'
import type { BundledFile } from '@wakestone/engine-packing/artifact'
import { bundleServer } from '@wakestone/engine-packing/bundle'

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

/** @throws Error when the library is not the one that the changes were made for */
function patch(code: string): string {
  return patches.reduce((text, { from, to, why }) => {
    const [before, after, ...more] = text.split(from)
    if (after === undefined || more.length > 0) throw new Error(`SerenityJS is another than expected: ${why}`)
    return `${before}${to}${after}`
  }, code)
}

/** @returns the files of the artifact, sorted by name; the same sources give the same bytes. */
export const bundleSerenity = (): Promise<BundledFile[]> =>
  bundleServer({
    entry: new URL('game/server.ts', import.meta.url),
    name: 'serenity-server',
    stubbedPackages,
    load: (path) => (path.endsWith('/@serenityjs/core/dist/index.js') ? patch(readFileSync(path, 'utf8')) : null),
  })
