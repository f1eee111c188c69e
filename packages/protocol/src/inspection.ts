/**
 * What the inspector is told and what it tells: a task that reads what authors have sent, so its words are theirs. It is
 * given its work as JSON, and writes one line of JSON.
 */
import { z } from 'zod'

export const pictureKinds = ['icon', 'thumbnail', 'image', 'video'] as const
export type PictureKind = (typeof pictureKinds)[number]

/** Files are paths as the box sees them. */
export type InspectionWork =
  | { kind: 'archive'; file: string; type: 'jar' | 'zip' | 'tgz'; entries: number; expansion: number }
  | { kind: 'media'; file: string; as: PictureKind; out: string }

export const findingRules = [
  'archive_damaged',
  'archive_encrypted',
  'archive_too_many_entries',
  'archive_expands',
  'archive_hides_bytes',
  'entry_path',
  'entry_twice',
  'entry_link',
  'entry_differs',
  'nested_archive',
  'secret_packed',
  'process_start',
  'native_code',
  'class_loading',
  'network',
  'deserialisation',
  'ends_game',
  'obfuscated',
  'hosts',
  'program_packed',
] as const
export type FindingRule = (typeof findingRules)[number]

const word = z.string().max(300)
const count = z.int().min(0)
export const inspectionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('archive'),
    entries: count,
    unpacked: count,
    /** Files by which loaders know a package of theirs. */
    markers: z.array(word).max(20),
    /** What those say of themselves. */
    stated: z.object({ name: word.nullable(), version: word.nullable() }),
    findings: z.array(z.object({ rule: z.enum(findingRules), details: z.array(word).max(20) })).max(50),
  }),
  z.object({ kind: z.literal('media'), width: count.nullable(), height: count.nullable(), bytes: count }),
  z.object({ kind: z.literal('refused'), why: z.enum(['format', 'size', 'damaged']) }),
])
export type Inspection = z.infer<typeof inspectionSchema>
export type ArchiveInspection = Extract<Inspection, { kind: 'archive' }>
