/**
 * What all tests share: one PostgreSQL, and running products. Each is started when the first test asks for it. Tests run
 * in other processes, so they ask over unix sockets.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabases } from './shared-databases.ts'
import { openProducts } from './shared-products.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databases: string
    products: string
  }
}

const RUN = 'ws-test-run-'

/** Called by vitest before the first test; what it returns is called after the last one. */
export default async function setup(project: TestProject) {
  // What sandboxes run is a build of the sources that are tested.
  execFileSync(process.execPath, [join(import.meta.dirname, '../../scripts/build-bundles.mjs')])
  const dir = mkdtempSync(join(tmpdir(), RUN))
  writeFileSync(join(dir, 'pid'), String(process.pid))
  const databases = await openDatabases(join(dir, 'databases.sock'))
  const products = await openProducts(join(dir, 'products.sock'), databases.clone)
  project.provide('databases', databases.socketPath)
  project.provide('products', products.socketPath)
  return async () => {
    await products.close()
    await databases.close()
    rmSync(dir, { recursive: true, force: true })
    if (!isAnotherRunGoingOn()) removeUnusedTables()
  }
}

/** Its products may be about to place their first server, and their tables look unused until then. */
function isAnotherRunGoingOn(): boolean {
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith(RUN))
    .some((name) => {
      try {
        return process.kill(Number(readFileSync(join(tmpdir(), name, 'pid'), 'utf8')), 0)
      } catch {
        return false // it was killed, and has left its folder
      }
    })
}

/**
 * Each installation has a table in the packet filter, and each test makes some: a hundred of them make every change of any
 * of them take seconds. Those of products that have servers up are left alone.
 */
function removeUnusedTables(): void {
  const nft = (args: string[], input?: string) => spawnSync('nft', args, { input, encoding: 'utf8' }).stdout ?? ''
  const unused = nft(['list', 'ruleset'])
    .split(/^table /m)
    .filter((table) => table.startsWith('inet wakestone_') && /set links \{\s*type ifname\s*\}/.test(table))
    .map((table) => table.split(' ', 2).join(' '))
  nft(['-f', '-'], unused.map((name) => `delete table ${name}\n`).join(''))
}
