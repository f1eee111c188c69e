/** What a file is, told by its name: how it is drawn, opened and coloured. */
import type { FileEntry } from './file-entry.ts'
import { extensionOf, nameOf } from './paths.ts'

export const fileKinds = ['text', 'log', 'picture', 'archive', 'program', 'data', 'unknown'] as const
export type FileKind = (typeof fileKinds)[number]

const kindsByExtension: Record<Exclude<FileKind, 'unknown'>, string> = {
  text: 'txt md properties yml yaml toml json json5 jsonc mcmeta snbt mcfunction cfg conf ini csv xml html css js ts sh bat lang sk secret env zs groovy kts java gradle',
  log: 'log',
  picture: 'png jpg jpeg gif webp avif bmp ico',
  archive: 'zip tar gz tgz bz2 bz tbz2 tbz xz txz zst tzst lz4 lzo 7z rar lz tlz lzma z mcworld mcpack mcaddon mrpack',
  program: 'jar',
  data: 'dat mca mcr nbt db sqlite schem schematic litematic dat_old bin lock',
}
const kinds = new Map<string, FileKind>(
  Object.entries(kindsByExtension).flatMap(([kind, list]) =>
    list.split(' ').map((extension): [string, FileKind] => [extension, kind as FileKind]),
  ),
)

/** The first of several parts: `world.zip.001`. Those behind it are opened with it, and are nothing alone. */
const firstPart = /\.(zip|7z|tar|tar\.\w{1,4})\.0*01$/

export function fileKind(path: string): FileKind {
  const name = nameOf(path).toLowerCase()
  if (firstPart.test(name)) return 'archive'
  // `latest.log.gz` and `world.tar.gz` are archives by their last part, which is what unpacks them.
  return (
    kinds.get(extensionOf(name)) ??
    (/^(eula|readme|license|changelog|server|\.[a-z]+rc)$/.test(name) ? 'text' : 'unknown')
  )
}

/** Archives, and programs that are archives too, can be looked into. */
export const canUnpack = ({ name, type }: Pick<FileEntry, 'name' | 'type'>): boolean =>
  type === 'file' && (fileKind(name) === 'archive' || fileKind(name) === 'program')

/** What an archive is called without its endings: the name of a folder for what is in it. */
export function archiveStem(path: string): string {
  const name = nameOf(path)
  const stem = name.replace(/\.0*01$/, '').replace(/(\.tar)?\.[^.]+$/, '')
  return stem === '' ? name : stem
}
