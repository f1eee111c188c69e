/** What a sample project is, and how its file is packed. */
import { strToU8, zipSync } from 'fflate'
import type { Language } from '@wakestone/contract/primitives'
import type { PackageLoader, ProjectType } from '@wakestone/contract/marketplace/values'

export type Sample = {
  slug: string
  name: string
  type: ProjectType
  labels: string[]
  loaders: PackageLoader[]
  versions: string[]
  file: { name: string; bytes: Uint8Array }
  /** Slugs of samples that it needs, and of those that go well with it. */
  needs?: string[]
  suits?: string[]
  texts: Record<Language, { short: string; long: string }>
}

/** The same files give the same bytes, wherever and whenever they are packed. */
export const pack = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [
        name,
        [typeof text === 'string' ? strToU8(text) : text, { mtime: '2026-01-01' }],
      ]),
    ),
    { level: 6, mtime: '2026-01-01' },
  )

export const meta = (description: string, format: number) =>
  JSON.stringify({ pack: { pack_format: format, supported_formats: [format, 99], description } })

/** A data pack that runs these commands when it is loaded. */
const dataPack = (name: string, commands: string[], more: Record<string, string>) =>
  pack({
    'pack.mcmeta': meta(`Wakestone sample: ${name}`, 48),
    'data/minecraft/tags/function/load.json': JSON.stringify({ values: [`${name}:load`] }),
    [`data/${name}/function/load.mcfunction`]: `${commands.join('\n')}\n`,
    ...more,
  })
const dataPackVersions = ['1.21', '1.21.1', '1.21.4']

const note: Record<Language, string> = {
  en: 'This is a sample that came with this installation. It works, and shows what a project looks like.',
  pl: 'To przykład dołączony do tej instalacji. Działa i pokazuje, jak wygląda projekt.',
  de: 'Das ist ein Beispiel, das mit dieser Installation kam. Es funktioniert und zeigt, wie ein Projekt aussieht.',
}
export type Said = Record<Language, [short: string, long: string]>
export const texts = (said: Said): Sample['texts'] => ({
  en: { short: said.en[0], long: `${said.en[1]}\n\n> ${note.en}` },
  pl: { short: said.pl[0], long: `${said.pl[1]}\n\n> ${note.pl}` },
  de: { short: said.de[0], long: `${said.de[1]}\n\n> ${note.de}` },
})

export const ruled = (
  slug: string,
  name: string,
  labels: string[],
  commands: string[],
  said: Said,
  more: Record<string, string> = {},
): Sample => ({
  slug: `sample-${slug}`,
  name,
  type: 'config',
  labels: ['sample', 'datapack', ...labels],
  loaders: ['vanilla', 'paper', 'fabric'],
  versions: dataPackVersions,
  file: { name: `${slug}-1.0.0.zip`, bytes: dataPack(slug.replaceAll('-', '_'), commands, more) },
  texts: texts(said),
})
