/** `manifest.json` of a pack of CurseForge: which files it has is told by numbers, where they lie by the catalogue. */
import { z } from 'zod'
import { parseMinecraftVersion } from '../minecraft-version.ts'
import { checkPackPath, type Pack, PackError, type PackLoader } from './pack.ts'

export const curseForgeManifest = 'manifest.json'

const manifestSchema = z.object({
  minecraft: z.object({
    version: z.string().max(64),
    modLoaders: z
      .array(z.object({ id: z.string().max(100), primary: z.boolean().default(false) }))
      .max(10)
      .default([]),
  }),
  manifestType: z.literal('minecraftModpack'),
  manifestVersion: z.literal(1),
  name: z.string().min(1).max(200),
  version: z.string().max(200).default(''),
  files: z
    .array(
      z.object({
        projectID: z.number().int().positive(),
        fileID: z.number().int().positive(),
        required: z.boolean().default(true),
      }),
    )
    .max(3000),
  overrides: z.string().min(1).max(100).default('overrides'),
})

export type CurseForgePack = Pack & { files: { project: number; file: number }[]; leftOut: number }

const loaderPattern = /^(fabric|quilt|forge|neoforge)-(?:[\d.]+-)?(\d[\w.+-]*)$/

/** @throws PackError */
export function readCurseForgeManifest(text: string): CurseForgePack {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new PackError(`${curseForgeManifest} is no JSON`)
  }
  const result = manifestSchema.safeParse(parsed)
  if (!result.success) throw new PackError(`${curseForgeManifest}: ${result.error.issues[0]?.path.join('.') ?? ''}`)
  const { minecraft, name, version, files, overrides } = result.data
  if (parseMinecraftVersion(minecraft.version) === null) throw new PackError('no version of the game')
  const wanted = files.filter(({ required }) => required)
  if (checkPackPath(overrides).includes('/')) throw new PackError('folder of overrides')
  return {
    format: 'curseforge',
    title: name,
    version: version.trim() === '' ? '1' : version.trim(),
    minecraft: minecraft.version,
    loader: readLoader(minecraft.modLoaders),
    overrides: [overrides],
    files: wanted.map(({ projectID, fileID }) => ({ project: projectID, file: fileID })),
    leftOut: files.length - wanted.length,
  }
}

function readLoader(loaders: readonly { id: string; primary: boolean }[]): PackLoader | null {
  const id = (loaders.find(({ primary }) => primary) ?? loaders[0])?.id
  if (id === undefined) return null
  const match = loaderPattern.exec(id)
  if (match === null) throw new PackError(`loader ${id}`)
  return { engine: match[1] as PackLoader['engine'], version: match[2]! }
}
