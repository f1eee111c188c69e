// Makes the package of the client, ready to be published, in packages/client/dist: the client and the contract that types it.
//
//   node scripts/build-client.mjs [DIR]
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const out = resolve(process.argv[2] ?? join(root, 'packages/client/dist'))
const draft = mkdtempSync(join(tmpdir(), 'ws-client-'))
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

try {
  const isShipped = (path) => !path.endsWith('.test.ts')
  cpSync(join(root, 'packages/client/src'), join(draft, 'src'), { recursive: true, filter: isShipped })
  cpSync(join(root, 'packages/contract/src'), join(draft, 'src/contract'), { recursive: true, filter: isShipped })
  // What the repository resolves by its workspaces lies beside it here.
  for (const name of readdirSync(join(draft, 'src')).filter((file) => file.endsWith('.ts'))) {
    const path = join(draft, 'src', name)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace(/'@wakestone\/contract\/([^']+)'/g, "'./contract/$1.ts'"))
  }
  nameParts(join(draft, 'src/contract/routes.ts'))
  symlinkSync(join(root, 'node_modules'), join(draft, 'node_modules'))
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: false,
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      declaration: true,
      lib: ['es2024', 'dom', 'dom.iterable'],
      types: [],
      rootDir: 'src',
      outDir: 'dist',
    },
    include: ['src'],
  }
  writeFileSync(join(draft, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(join(draft, 'package.json'), '{"type":"module"}')
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', draft], { stdio: 'inherit' })

  const { version, license } = readJson('package.json')
  const manifest = {
    name: '@wakestone/client',
    version,
    description: 'The API of a Wakestone hosting, typed',
    license,
    type: 'module',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    engines: { node: '>=20' },
    dependencies: readJson('packages/contract/package.json').dependencies,
  }
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  cpSync(join(draft, 'dist'), out, { recursive: true })
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const file of ['packages/client/README.md', 'LICENSE'])
    cpSync(join(root, file), join(out, file.split('/').at(-1)))
} finally {
  rmSync(draft, { recursive: true, force: true })
}

/** The type of all routes, written out, is more than the compiler writes into a declaration: it is named by its parts. */
function nameParts(path) {
  const text = readFileSync(path, 'utf8')
  const [, body] = /export const allRoutes = \{\n([\s\S]*?)\n\}/.exec(text) ?? []
  if (body === undefined) throw new Error('allRoutes is written in another way than this script knows')
  const parts = body.split('\n').map((line) => {
    const [, spread, name] = /^ {2}(\.\.\.)?(\w+),$/.exec(line) ?? []
    if (name === undefined) throw new Error(`allRoutes has a line that is no name: ${line}`)
    return spread === undefined ? `{ ${name}: typeof ${name} }` : `typeof ${name}`
  })
  writeFileSync(path, text.replace('export const allRoutes =', `export const allRoutes: ${parts.join(' & ')} =`))
}
