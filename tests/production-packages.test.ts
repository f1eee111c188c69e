/** What runs in production finds its packages where only those were installed. */
import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const workspaces = globSync(['apps/{server,gateway,supervisor,map-renderer,inspector,standalone}', 'packages/*'], {
  cwd: root,
})

test.each(workspaces.filter((workspace) => workspace !== 'packages/simulators'))(
  '%s imports nothing that is for development only',
  (workspace) => {
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(root, workspace, 'package.json'), 'utf8'),
    ) as Record<'dependencies' | 'optionalDependencies', Record<string, string> | undefined>
    const listed = new Set(Object.keys({ ...dependencies, ...optionalDependencies }))
    const sources = globSync('src/**/*.ts', { cwd: join(root, workspace) }).filter(
      (file) => !/\.test\.ts$|test-support\/|web-dev\.ts$/.test(file),
    )
    expect(sources.length).toBeGreaterThan(0)
    const missing = sources.flatMap((file) =>
      importsOf(readFileSync(join(root, workspace, file), 'utf8'))
        .filter((name) => !listed.has(name))
        .map((name) => `${file}: ${name}`),
    )
    expect(missing).toEqual([])
  },
)

test('the built pages load nothing that is for development only', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'apps/web/package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const files = globSync('apps/web/build/server/**/*.js', { cwd: root })
  expect(files.length, 'the web part is built').toBeGreaterThan(0)
  const loaded = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^import[^'"`;]*?['"]([^'"./][^'"]*)['"]/gm)].map(
      ([, name = '']) => packageOf(name),
    ),
  )
  expect(loaded).toContain('react')
  expect([...new Set(loaded)].filter((name) => dependencies[name] === undefined && !isBuiltin(name))).toEqual([])
})

/** Names of the packages that a source loads; types are gone when it runs. */
function importsOf(source: string): string[] {
  const specifiers = [
    ...source.matchAll(/^(?:import|export)(?! type\b)[^'"`;]*?from '([^']+)'/gm),
    ...source.matchAll(/^import '([^']+)'/gm),
    ...source.matchAll(/\bimport\('([^']+)'\)/g),
  ].map(([, specifier = '']) => specifier)
  return specifiers.filter((specifier) => !/^(node:|[.#/])/.test(specifier)).map(packageOf)
}

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
