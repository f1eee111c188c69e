/** Where packages that are to go keep what they have gathered: found by what the files say, not by guessing at names. */
import type { Manifest } from '@wakestone/packager/manifest'
import { kindOf, plainPathsOf } from '@wakestone/packager/placement'
import { DomainError } from '@wakestone/contract/errors'
import { splitPackageName } from '#src/adapters/packages/source.ts'
import type { FilesClient } from '#src/adapters/files/client.ts'

/** Names of a folder that are looked through. */
const mostNames = 5000
const mostBytes = 64 * 1024

/** What a jar says that it is called; the files of its loaders in this order. */
const statements: readonly [entry: string, name: RegExp][] = [
  ['paper-plugin.yml', /^name:\s*['"]?([^'"\n#]+)/m],
  ['plugin.yml', /^name:\s*['"]?([^'"\n#]+)/m],
  ['velocity-plugin.json', /"id"\s*:\s*"([^"]+)"/],
  ['fabric.mod.json', /"id"\s*:\s*"([^"]+)"/],
  ['quilt.mod.json', /"id"\s*:\s*"([^"]+)"/],
  ['META-INF/neoforge.mods.toml', /modId\s*=\s*"([^"]+)"/],
  ['META-INF/mods.toml', /modId\s*=\s*"([^"]+)"/],
]

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** @returns folders and files that are there, from the volume on */
export async function findDataFolders(files: FilesClient, packages: readonly Manifest[]): Promise<string[]> {
  const found = new Set<string>()
  const listed = new Map<string, readonly string[]>()
  const namesIn = async (folder: string) => {
    if (!listed.has(folder)) listed.set(folder, await listNames(files, folder))
    return listed.get(folder) ?? []
  }
  for (const manifest of packages) {
    const { subdir } = manifest
    const kind = kindOf(manifest)
    // A folder of its own, with all that has come into it since.
    const isOwn = manifest.place === 'once' || /^plugins\/[^/]+$/.test(subdir)
    if (isOwn) {
      const at = subdir.lastIndexOf('/')
      if ((await namesIn(at < 0 ? '' : subdir.slice(0, at))).includes(subdir.slice(at + 1))) found.add(subdir)
      continue
    }
    if (kind !== 'plugin' && kind !== 'mod') continue
    const folder = kind === 'mod' ? 'config' : 'plugins'
    const stated = await Promise.all(plainPathsOf(manifest).map((path) => readStatedName(files, path)))
    const known = stated.filter((name) => name !== undefined)
    const names = new Set((known.length > 0 ? known : [splitPackageName(manifest.name).id]).map(plain))
    for (const name of await namesIn(folder)) {
      const bare = kind === 'mod' ? name.replace(/\.(json5?|toml|properties|ya?ml|conf|cfg)$/i, '') : name
      const isProgram = /\.jar$/i.test(name)
      if (!isProgram && names.has(plain(bare))) found.add(`${folder}/${name}`)
    }
  }
  return [...found].toSorted()
}

async function listNames(files: FilesClient, folder: string): Promise<string[]> {
  const names: string[] = []
  try {
    for await (const line of await files.list(folder, { hidden: false })) {
      const told = JSON.parse(line) as unknown
      if (Array.isArray(told) && typeof told[0] === 'string') names.push(told[0])
      if (names.length >= mostNames) break
    }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error // there is no such folder
  }
  return names
}

/** Undefined where it says nothing, or is not there. */
async function readStatedName(files: FilesClient, path: string): Promise<string | undefined> {
  if (!/\.jar$/i.test(path)) return undefined
  for (const [entry, pattern] of statements) {
    try {
      const { body } = await files.archiveEntry(path, entry)
      let text = ''
      for await (const part of body) {
        text += String(part)
        if (text.length > mostBytes) break
      }
      body.destroy()
      const name = pattern.exec(text)?.[1]?.trim()
      if (name !== undefined && name !== '') return name.slice(0, 100)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
    }
  }
  return undefined
}
