/** What the terms of bundled libraries ask for. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The licences of everything bundled: their terms ask for it. */
export function licences(moduleIds: string[]): string {
  const roots = new Set<string>()
  for (const id of moduleIds) {
    const match = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)
    if (match) roots.add(match[1]!)
  }
  const parts = [...roots].map((root) => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      name: string
      version: string
      license?: string
    }
    const file = readdirSync(root).find((name) => /^licen[cs]e/i.test(name))
    const text = file === undefined ? '' : readFileSync(join(root, file), 'utf8').trim()
    return `${manifest.name} ${manifest.version} (${manifest.license ?? 'see below'})\n\n${text}\n`
  })
  return parts.toSorted().join(`\n${'-'.repeat(80)}\n\n`)
}
