/** The gallery: projects by words that may be half typed or mistyped, by labels, and by what they run on. */
import type { z } from 'zod'
import { hasCapability, isAdmin } from '@wakestone/contract/capabilities'
import type { FacetCounts, FollowedReleases, ProjectList, searchQuery } from '@wakestone/contract/marketplace/project'
import { packageLoaders, projectTypes, type ProjectType } from '@wakestone/contract/marketplace/values'
import type { Language } from '@wakestone/contract/primitives'
import type { Db } from '#src/db/client.ts'
import { type Caller, describeProjects, findUsername } from '#src/features/marketplace/projects/service.ts'
import * as repo from './repo.ts'
import { editDistance, plainWords, toleranceOf, toTsQuery } from './words.ts'

type Asked = z.output<typeof searchQuery> & {
  /** Of one release, any of these. */
  loaders?: readonly string[] | undefined
}

export async function searchProjects(db: Db, caller: Caller, asked: Asked): Promise<ProjectList> {
  const { ids, corrected, filter } = await findIds(db, caller, asked)
  const [page, facets] = await Promise.all([
    showPage(db, ids, asked),
    asked.facets === '1' && filter !== undefined ? countFacets(db, filter, asked) : undefined,
  ])
  const { projectMember: userId } = asked
  const username = userId === undefined || page.projects.length === 0 ? undefined : await findUsername(db, userId)
  return {
    ...page,
    corrected,
    ...(facets && { facets }),
    ...(userId !== undefined && username !== undefined && { member: { id: userId, username } }),
  }
}

/** Of each category whatever loader is wanted, and of each loader whatever category: what another choice would find. */
async function countFacets(
  db: Db,
  filter: repo.Filter,
  { labels = [], game_version }: Pick<Asked, 'labels' | 'game_version'>,
): Promise<FacetCounts> {
  const isType = (label: string): label is ProjectType => projectTypes.some((type) => type === label)
  const byType = { ...filter, facets: labels.filter((label) => !isType(label)) }
  const byLoader = { ...filter, compat: game_version === undefined ? undefined : [`*:${game_version}`] }
  const codes = packageLoaders.map((loader) => `${loader}:${game_version ?? '*'}`)
  const [types, loaders] = await Promise.all([
    repo.countFacets(db, byType, { column: 'facets', values: projectTypes }),
    repo.countFacets(db, byLoader, { column: 'compat', values: codes }),
  ])
  return {
    types: projectTypes.map((value) => ({ value, count: types.counts.get(value) ?? 0 })),
    loaders: packageLoaders.map((value, index) => ({ value, count: loaders.counts.get(codes[index] ?? '') ?? 0 })),
    is_at_least: types.isCut || loaders.isCut,
  }
}

/** What was published lately of what somebody follows, with the project that it is of. */
export async function listFollowedReleases(
  db: Db,
  userId: string,
  { after, limit, language }: { after?: string | undefined; limit: number; language: Language },
): Promise<FollowedReleases> {
  const rows = await repo.selectFollowedReleases(db, { userId, after, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const projects = await describeProjects(db, [...new Set(shown.map(({ project_id }) => project_id))], language)
  return {
    has_more: rows.length > limit,
    releases: shown.flatMap(({ project_id, published_at, ...release }) => {
      const project = projects.find(({ id }) => id === project_id)
      if (project === undefined) return []
      const { id, slug, name, media } = project
      return [{ ...release, published_at: published_at.toISOString(), project: { id, slug, name, media } }]
    }),
  }
}

export async function listFollowed(
  db: Db,
  userId: string,
  asked: Pick<Asked, 'after' | 'limit' | 'language'>,
): Promise<ProjectList> {
  const ids = await repo.selectFollowed(db, { userId, after: asked.after, limit: asked.limit + 1 })
  return { ...(await showPage(db, ids, asked)), corrected: null }
}

/** One more was asked for than is shown: it tells whether the list goes on. */
async function showPage(db: Db, ids: readonly string[], { limit, language }: { limit: number; language: Language }) {
  return { has_more: ids.length > limit, projects: await describeProjects(db, ids.slice(0, limit), language) }
}

/** What a search finds: one more than a page holds, where there are more. */
export async function findIds(
  db: Db,
  caller: Caller,
  {
    name = '',
    labels = [],
    loader,
    loaders = loader === undefined ? undefined : [loader],
    game_version,
    projectMember,
    has_release,
    sort,
    after,
    limit,
  }: Omit<Asked, 'facets'>,
): Promise<{ ids: string[]; corrected: string | null; filter?: repo.Filter }> {
  const words = plainWords(name)
  const typed = words.join(' ')
  const hasRelease = has_release === '1'
  const page = { after, limit: limit + 1 }
  if (projectMember !== undefined) {
    const isModerator =
      caller !== undefined && (isAdmin(caller.capabilities) || hasCapability(caller.capabilities, 'admin.marketplace'))
    const filter = { facets: labels, hasRelease, typed }
    const ids = await repo.selectOfMember(db, {
      userId: projectMember,
      callerId: caller?.userId,
      isModerator,
      filter,
      ...page,
    })
    return { ids, corrected: null }
  }
  const compat =
    loaders === undefined && game_version === undefined
      ? undefined
      : (loaders ?? ['*']).map((one) => `${one}:${game_version ?? '*'}`)
  const filter = { facets: labels, compat, hasRelease, typed, query: undefined }
  if (words.length === 0)
    return {
      ids: await repo.selectSorted(db, filter, { ...page, sort: repo.isColumnSort(sort) ? sort : 'downloads' }),
      corrected: null,
      filter,
    }
  const isWhole = /\s$/.test(name)
  const known = await correct(db, words, { isWhole })
  const query = toTsQuery(known, { isWhole })
  const asTyped = { ...filter, query, typed: known.join(' ') }
  const ids = repo.isColumnSort(sort)
    ? await repo.selectSorted(db, asTyped, { ...page, sort })
    : await repo.selectRelevant(db, { ...asTyped, isBroad: !isWhole && (known.at(-1)?.length ?? 0) < 3 }, page)
  return { ids, corrected: known.join(' ') === typed ? null : known.join(' '), filter: asTyped }
}

/** Words that no document has are taken for those that they are most like. */
async function correct(db: Db, words: readonly string[], { isWhole }: { isWhole: boolean }): Promise<string[]> {
  return Promise.all(
    words.map(async (word, index) => {
      const most = toleranceOf(word)
      if (most === 0) return word
      const asPrefix = index === words.length - 1 && !isWhole
      if (await repo.isKnownWord(db, word, { asPrefix })) return word
      const similar = await (most === 1 ? repo.selectWordsOneLetterApart(db, word) : repo.selectSimilarWords(db, word))
      const distances = similar.map((other) => ({ other, distance: editDistance(word, other, most) }))
      const [best] = distances
        .filter(({ distance }) => distance <= most)
        .toSorted((left, right) => left.distance - right.distance)
      return best?.other ?? word
    }),
  )
}
