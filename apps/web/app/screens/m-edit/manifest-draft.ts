/** What a release needs and brings, as its author fills it in, and the manifest that is made of it. */
import type { z } from 'zod'
import { manifestSchema } from '@wakestone/contract/marketplace/manifest'
import { isRange } from '@wakestone/packager/versions/range'

export const dependencyKinds = ['required', 'optional', 'incompatible', 'embedded'] as const
export type DependencyKind = (typeof dependencyKinds)[number]
export type DependencyDraft = { id: number; name: string; expr: string; kind: DependencyKind }
export type ManifestDraft = {
  dependencies: readonly DependencyDraft[]
  provides: readonly { id: number; name: string; version: string }[]
  /** Empty: as its kind of project has it. */
  subdir: string
  environment: readonly { id: number; key: string; value: string }[]
}
export const emptyManifest: ManifestDraft = { dependencies: [], provides: [], subdir: '', environment: [] }

let rows = 0
export const newRow = () => ++rows

/** The last release's, so that an author need not type it again. */
export function draftOf(manifest: {
  depends?: readonly Selector[]
  dependencies?: readonly { selector: Selector; kind: DependencyKind }[]
  provides?: readonly { name: string; version: string }[]
  subdir?: string
  setEnv?: readonly { key: string; value: string }[]
}): ManifestDraft {
  const { depends = [], dependencies = [], provides = [], subdir = '', setEnv = [] } = manifest
  const all = [...depends.map((selector) => ({ selector, kind: 'required' as const })), ...dependencies]
  return {
    dependencies: all.flatMap(({ selector, kind }) => {
      const { name, provides: provided, expr = '' } = typeof selector === 'string' ? { name: selector } : selector
      const known = name ?? provided
      return known === undefined ? [] : [{ id: newRow(), name: known, expr, kind }]
    }),
    provides: provides.map((one) => ({ ...one, id: newRow() })),
    subdir,
    environment: setEnv.map((one) => ({ ...one, id: newRow() })),
  }
}
type Selector = string | { name?: string | undefined; provides?: string | undefined; expr?: string | undefined }

type DependencyProblem = 'name' | 'range'

const nameSchema = manifestSchema.shape.name

/** Why a row cannot stay as it is; an empty range means any version. */
export function dependencyProblem({
  name,
  expr,
}: Pick<DependencyDraft, 'name' | 'expr'>): DependencyProblem | undefined {
  if (!nameSchema.safeParse(name.trim()).success) return 'name'
  return expr.trim() === '' || isRange(expr.trim()) ? undefined : 'range'
}

const isEmptyDraft = ({ dependencies, provides, subdir, environment }: ManifestDraft): boolean =>
  dependencies.length + provides.length + environment.length === 0 && subdir === ''

/** @returns undefined where nothing was said: the API makes one of the rest. */
export function manifestOf(
  draft: ManifestDraft,
  { name, version }: { name: string; version: string },
): z.input<typeof manifestSchema> | undefined {
  if (isEmptyDraft(draft)) return undefined
  return {
    name,
    packageVersion: version,
    subdir: draft.subdir.trim(),
    dependencies: draft.dependencies.map(({ name: needed, expr, kind }) => ({
      selector: expr.trim() === '' ? needed.trim() : { name: needed.trim(), expr: expr.trim() },
      kind,
    })),
    provides: draft.provides.map((one) => ({ name: one.name.trim(), version: one.version.trim() })),
    setEnv: draft.environment.map(({ key, value }) => ({ key: key.trim(), value })),
  }
}

/** Whether all of it would be taken. */
export const isGoodManifest = (draft: ManifestDraft): boolean =>
  draft.dependencies.every((one) => dependencyProblem(one) === undefined) &&
  manifestSchema.safeParse(
    manifestOf(draft, { name: 'project', version: '1' }) ?? { name: 'project', packageVersion: '1' },
  ).success
