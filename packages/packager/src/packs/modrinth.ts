/** `modrinth.index.json` of an `.mrpack`. */
import { z } from 'zod'
import { parseMinecraftVersion } from '../minecraft-version.ts'
import {
  checkPackFiles,
  checkPackPath,
  isForClientsOnly,
  type Pack,
  PackError,
  type PackFile,
  type PackLoader,
} from './pack.ts'

export const modrinthIndex = 'modrinth.index.json'

/** Where files of packs may lie, as the format says. */
const hosts = new Set(['cdn.modrinth.com', 'github.com', 'raw.githubusercontent.com', 'gitlab.com'])

const side = z.enum(['required', 'optional', 'unsupported']).catch('required')
const indexSchema = z.object({
  formatVersion: z.literal(1),
  game: z.literal('minecraft'),
  versionId: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
  files: z
    .array(
      z.object({
        path: z.string().max(1000),
        hashes: z.object({ sha1: z.string().optional(), sha512: z.string().regex(/^[0-9a-fA-F]{128}$/) }),
        env: z.object({ client: side.optional(), server: side.optional() }).nullish(),
        downloads: z.array(z.string().max(2000)).min(1).max(20),
        fileSize: z.number().int().min(0),
      }),
    )
    .max(10_000),
  dependencies: z.record(z.string().max(64), z.string().max(64)),
})

const loaders: Record<string, PackLoader['engine']> = {
  'fabric-loader': 'fabric',
  'quilt-loader': 'quilt',
  forge: 'forge',
  neoforge: 'neoforge',
}

type ModrinthPack = Pack & {
  files: PackFile[]
  /** Files that only a player's own game needs. */
  leftOut: number
  /** Projects of Modrinth that are in it, by where their files lie. */
  projects: string[]
}

/**
 * @param isAllowed other places where files may lie than those of the format, such as a mirror that was configured
 * @throws PackError
 */
export function readModrinthIndex(text: string, isAllowed: (url: URL) => boolean = () => false): ModrinthPack {
  const index = readJson(text)
  const { minecraft, ...others } = index.dependencies
  if (minecraft === undefined || parseMinecraftVersion(minecraft) === null)
    throw new PackError('no version of the game')
  const [named, ...more] = Object.entries(others)
  if (more.length > 0 || (named !== undefined && loaders[named[0]] === undefined))
    throw new PackError(`loader ${Object.keys(others).join(', ')}`)
  const files: PackFile[] = []
  let leftOut = 0
  for (const { path: said, hashes, env, downloads, fileSize } of index.files) {
    // One bad path spoils the whole, also of what would be left out.
    const path = checkPackPath(said)
    if (env?.server === 'unsupported' || isForClientsOnly(path)) {
      leftOut += 1
      continue
    }
    const url = downloads.find((address) => isPackAddress(address, isAllowed))
    if (url === undefined) throw new PackError(`host of ${JSON.stringify(path)}`)
    files.push({ path, url, hash: `sha512:${hashes.sha512.toLowerCase()}`, size: fileSize })
  }
  checkPackFiles(files)
  return {
    format: 'modrinth',
    title: index.name,
    version: index.versionId,
    minecraft,
    loader: named === undefined ? null : { engine: loaders[named[0]]!, version: named[1] },
    overrides: ['overrides', 'server-overrides'],
    files,
    leftOut,
    projects: [...new Set(files.flatMap(({ url }) => projectOf(url) ?? []))],
  }
}

function readJson(text: string): z.output<typeof indexSchema> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new PackError(`${modrinthIndex} is no JSON`)
  }
  const result = indexSchema.safeParse(parsed)
  if (result.success) return result.data
  throw new PackError(`${modrinthIndex}: ${result.error.issues[0]?.path.join('.') ?? ''}`)
}

function isPackAddress(address: string, isAllowed: (url: URL) => boolean): boolean {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '') return false
  return (url.protocol === 'https:' && url.port === '' && hosts.has(url.hostname)) || isAllowed(url)
}

/** `https://cdn.modrinth.com/data/P7dR8mSH/versions/…` → `P7dR8mSH` */
const projectOf = (url: string): string | undefined =>
  /\/data\/([A-Za-z0-9]{1,64})\/versions\//.exec(new URL(url).pathname)?.[1]
