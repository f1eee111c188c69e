/** Removes all files of a folder but a few. */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from './tool.ts'

export type ClearOptions = {
  folder: string
  /** Paths in it that stay, with all that lies under them. */
  keep: readonly string[]
  signal: AbortSignal
}

/** Follows no link, and minds names of any bytes. Done again it goes on where it was cut off. */
export async function clearFiles({ folder, keep, signal }: ClearOptions): Promise<void> {
  const open = ['']
  for (let inner = open.shift(); inner !== undefined; inner = open.shift()) {
    const isAbove = (path: string) => keep.some((kept) => kept.startsWith(`${path}/`)) && isFolder(join(folder, path))
    const prefix = inner === '' ? '' : `${inner}/`
    const below = keep
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length).split('/', 1)[0])
    const stay = [...new Set(below as string[])].filter(
      (name) => keep.includes(prefix + name) || isAbove(prefix + name),
    )
    const those = ['.', '-mindepth', '1', '-maxdepth', '1', ...stay.flatMap((name) => ['!', '-name', literal(name)])]
    await runTool('find', [...those, '-exec', 'rm', '-rf', '{}', '+'], { cwd: join(folder, inner), signal })
    open.push(...stay.map((name) => prefix + name).filter((path) => !keep.includes(path)))
  }
}

const isFolder = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
/** A name as a pattern that fits it alone. */
const literal = (name: string) => name.replace(/[\\*?[\]]/g, String.raw`\$&`)
