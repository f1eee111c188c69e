/** What a project needs, as the manifest of its newest release says, and which projects say that they need it. */
import type { ProjectDependencies } from '@wakestone/contract/marketplace/project'
import type { PublishedManifest } from '@wakestone/contract/marketplace/manifest'
import type { Language } from '@wakestone/contract/primitives'
import type { Db } from '#src/db/client.ts'
import { type Caller, describeProjects, findVisibleProject } from '#src/features/marketplace/projects/service.ts'
import * as repo from './repo.ts'

type Dependency = Omit<ProjectDependencies['dependencies'][number], 'project'>
const most = 20

export async function listDependencies(
  db: Db,
  caller: Caller,
  { key, language }: { key: string; language: Language },
): Promise<ProjectDependencies> {
  const { project } = await findVisibleProject(db, caller, key)
  const manifest = await repo.findNewestManifest(db, project.id)
  const needed = manifest === undefined ? [] : readDependencies(manifest)
  const [known, dependants] = await Promise.all([
    repo.selectShownBySlug(
      db,
      needed.map(({ name }) => name),
    ),
    repo.selectDependants(db, { name: project.slug, projectId: project.id, limit: most }),
  ])
  const shown = await describeProjects(db, [...known.map(({ id }) => id), ...dependants.ids], language)
  const small = (id: string) => {
    const found = shown.find((one) => one.id === id)
    return found === undefined ? null : { id: found.id, slug: found.slug, name: found.name, media: found.media }
  }
  return {
    dependencies: needed.map((one) => ({
      ...one,
      project: small(known.find(({ slug }) => slug === one.name)?.id ?? ''),
    })),
    dependants: dependants.ids.flatMap((id) => small(id) ?? []),
    dependants_count: dependants.count,
  }
}

/** Both spellings; one that is named twice is told once. */
export function readDependencies(manifest: Pick<PublishedManifest, 'depends' | 'dependencies'>): Dependency[] {
  const all = [
    ...manifest.depends.map((selector) => ({ selector, kind: 'required' as const })),
    ...manifest.dependencies,
  ]
  const told = new Map<string, Dependency>()
  for (const { selector, kind } of all) {
    const name = typeof selector === 'string' ? selector : (selector.name ?? selector.provides)
    if (name === undefined || told.has(name)) continue
    told.set(name, { name, expr: typeof selector === 'string' ? null : (selector.expr ?? null), kind })
  }
  return [...told.values()]
}
