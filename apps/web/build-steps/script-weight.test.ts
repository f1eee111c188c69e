/**
 * No public page makes a browser load more than 150 kB of script. Counted from the build as it is served: what the page
 * starts, and all that this imports.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { matchRoutes, type ServerBuild } from 'react-router'
import { expect, test } from 'vitest'
import { publicPages } from '../app/public-pages.ts'

const limit = 150_000
const folder = join(import.meta.dirname, '../build')
const { routes, assets }: ServerBuild = await import(pathToFileURL(join(folder, 'server/index.js')).href)

type Branch = { id: string; path?: string; index?: boolean; children?: Branch[] }

function branchesBelow(parentId: string | undefined): Branch[] {
  return Object.values(routes)
    .filter((route) => route !== undefined && route.parentId === parentId)
    .map((route) => ({
      id: route!.id,
      ...(route!.path === undefined ? {} : { path: route!.path }),
      ...(route!.index ? { index: true } : { children: branchesBelow(route!.id) }),
    }))
}
const tree = branchesBelow(undefined)

const fileOf = (address: string) => join(folder, 'client', address)
/** Bytes on the wire: small files are served as they are. */
const weightOf = (address: string) =>
  statSync(existsSync(`${fileOf(address)}.br`) ? `${fileOf(address)}.br` : fileOf(address)).size

function importsOf(address: string): string[] {
  const code = readFileSync(fileOf(address), 'utf8')
  return Array.from(
    code.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([\w.~-]+\.js)["']/g),
    (match) => `/assets/${match[1]}`,
  )
}

function scriptsOf(path: string): string[] {
  const matches = matchRoutes(tree as never, path) ?? []
  const found = new Set<string>()
  const open = [assets.entry.module, ...matches.map(({ route }) => assets.routes[route.id!]!.module)]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue
    found.add(next)
    open.push(...importsOf(next))
  }
  return [...found]
}

test.each(publicPages.map(({ path }) => path))('the scripts of %j', (path) => {
  const scripts = scriptsOf(`/en${path}`)
  expect(scripts.length).toBeGreaterThan(5)
  const weights = scripts.map((address) => ({ address, bytes: weightOf(address) })).sort((a, b) => b.bytes - a.bytes)
  const sum = weights.reduce((total, { bytes }) => total + bytes, 0)
  const largest = weights.slice(0, 8).map(({ address, bytes }) => `${address}: ${bytes}`)
  expect(sum, `the page loads ${sum} bytes of script:\n${largest.join('\n')}`).toBeLessThanOrEqual(limit)
})

test('a page of the panel weighs more, so this counts what is imported', () => {
  const weigh = (path: string) => scriptsOf(path).reduce((total, address) => total + weightOf(address), 0)
  expect(weigh('/en/create')).toBeGreaterThan(weigh('/en') + 30_000)
})
