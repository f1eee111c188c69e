/** Plugins of the server's owner: each a folder of `plugins` with a program, `index.js`, that is given the server. */
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { printLine } from './console.ts'
import type { Squid } from './library.ts'

/** In the order of their names. One that fails says so and leaves the others be. */
export function loadPlugins(serv: Squid, folder: string): void {
  const home = join(folder, 'plugins')
  if (!existsSync(home)) return
  const load = createRequire(join(home, 'loader.cjs'))
  for (const name of readdirSync(home).toSorted()) {
    const program = join(home, name, 'index.js')
    if (!existsSync(program)) continue
    try {
      const plugin: unknown = load(program)
      if (typeof plugin !== 'function') throw new Error('it exports no function')
      plugin(serv)
      printLine('INFO', `Plugin ${name} is loaded`)
    } catch (error) {
      printLine('ERROR', `Plugin ${name} was not loaded: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}
