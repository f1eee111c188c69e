/** Bundles the server of an engine: our launcher, and of the library what it needs. */
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import type { BundledFile } from './artifact.ts'
import { licences } from './licences.ts'

export type ServerBundle = {
  /** Address of the launcher. */
  entry: URL
  /** Of the bundle. */
  name: string
  /** Packages that are never used there, and the code in their place. */
  stubbedPackages: Record<string, string>
  /** The code in the place of other modules; null: their own. @param path with slashes */
  load: (path: string) => string | null
  /** What lies beside the server. */
  more?: BundledFile[]
}

const stub = '\0stub:'

/** @returns the files of the artifact, sorted by name; the same sources give the same bytes. */
export async function bundleServer({
  entry,
  name,
  stubbedPackages,
  load,
  more = [],
}: ServerBundle): Promise<BundledFile[]> {
  const build = await rolldown({
    input: fileURLToPath(entry),
    platform: 'node',
    plugins: [
      {
        name: 'pruned-library',
        resolveId: (source) => (source in stubbedPackages ? `${stub}${source}` : null),
        load: (id) => (id.startsWith(stub) ? stubbedPackages[id.slice(stub.length)] : load(id.replaceAll('\\', '/'))),
      },
    ],
    // The libraries' own dynamic requires (third-party plugins) stay what they are.
    onLog(level, log, handler) {
      if (log.code === 'UNRESOLVED_IMPORT' || log.code === 'EVAL' || log.code === 'COMMONJS_VARIABLE_IN_ESM') return
      handler(level, log)
    },
  })
  const { output } = await build.generate({ format: 'cjs', minify: { mangle: false, compress: false, codegen: true } })
  await build.close()
  const chunk = output[0]
  const manifest = `${JSON.stringify({ name, private: true, type: 'commonjs' }, null, 2)}\n`
  return [
    { name: 'server.js', content: Buffer.from(chunk.code) },
    { name: 'package.json', content: Buffer.from(manifest) },
    { name: 'LICENSES.txt', content: Buffer.from(licences(chunk.moduleIds)) },
    ...more,
  ].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
