/**
 * Where documents come from: the repository's `content/`, and in front of it the operator's `DATA_DIR/content/`.
 * Files are looked at on every request and read anew when they changed, so an operator's edit shows at once.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Language } from '@wakestone/contract/primitives'
import type { Logger } from '@wakestone/kit/logger'
import type { Settings } from '@wakestone/kit/settings'

const builtIn = join(import.meta.dirname, '../../../../../../content')
const largest = 1024 * 1024

export type Source = { file: string; fields: Readonly<Record<string, string>>; body: string }
type Place = { settings: Settings; logger: Logger }

const known = new Map<string, { stamp: string; source: Source }>()

/** The folders that may hold a document, the operator's first. */
export function foldersOf(settings: Settings, path: string): { operator: string; builtIn: string } {
  return { operator: join(settings.DATA_DIR, 'content', path), builtIn: join(builtIn, path) }
}

/** A file with its front matter; undefined when there is none, or none that can be read, which is logged. */
export async function readSource(file: string, { logger }: Pick<Place, 'logger'>): Promise<Source | undefined> {
  try {
    const { mtimeMs, size } = await stat(file)
    const stamp = `${mtimeMs} ${size}`
    const before = known.get(file)
    if (before?.stamp === stamp) return before.source
    if (size > largest) throw new Error(`larger than ${largest} bytes`)
    const source = { file, ...parseFrontMatter(await readFile(file, 'utf8')) }
    known.set(file, { stamp, source })
    return source
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      logger.warn({ error, file }, 'a document cannot be read')
    return undefined
  }
}

/** The files of one language in the folders below `folder`: earlier versions of the document that it holds. */
export async function readEarlier(folder: string, language: Language, place: Pick<Place, 'logger'>): Promise<Source[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const sources = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => readSource(join(folder, entry.name, `${language}.md`), place)),
  )
  return sources.filter((source) => source !== undefined)
}

/** Changes whenever a file of the folder, or of one below it, does. */
export async function stampOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  const stamps = entries.map(async (name) => {
    const { mtimeMs, size } = await stat(join(folder, name))
    return `${name} ${mtimeMs} ${size}`
  })
  return (await Promise.all(stamps)).toSorted().join('\n')
}

/** Lines of `name: value` between two lines of `---`, then the text. */
function parseFrontMatter(text: string): Omit<Source, 'file'> {
  const match = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)
  const fields: Record<string, string> = {}
  for (const line of (match?.[1] ?? '').split(/\r?\n/)) {
    const [, name, value] = /^([a-z_]+):\s*(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) fields[name] = value.replace(/^(["'])(.*)\1$/, '$2')
  }
  return { fields, body: match === null ? text : text.slice(match[0].length) }
}
