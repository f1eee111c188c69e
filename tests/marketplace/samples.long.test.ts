/** The samples that an installation begins with: they pass the gate, need what is there, and are there at once. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { PackageSearchLine } from '@wakestone/contract/servers/package-search'
import { searchProjects } from '@wakestone/contract/marketplace/projects-routes'
import { inspectRelease } from '../../apps/server/src/features/marketplace/releases/inspection.ts'
import { samples } from '../../apps/server/src/features/marketplace/samples/content.ts'
import { ensureSamples } from '../../apps/server/src/features/marketplace/samples/service.ts'
import { startTestApi, type TestApi } from '../support/api.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api?.close())

/** Whether something that could be for a loader is told to be checked. */
async function isChecking(loader: string): Promise<boolean> {
  const answer = await fetch(`${api.origin}/api/v1/packages/search?${new URLSearchParams({ loader })}`)
  const lines = (await answer.text()).trim().split('\n')
  return lines
    .map((line): PackageSearchLine => JSON.parse(line))
    .some((line) => 'is_checking' in line && line.is_checking === true)
}

test('there are some thirty of many kinds, and what one needs is another', () => {
  expect(samples.length).toBeGreaterThanOrEqual(30)
  expect(new Set(samples.map(({ type }) => type)).size).toBeGreaterThanOrEqual(5)
  const slugs = new Set(samples.map(({ slug }) => slug))
  expect(slugs.size).toBe(samples.length)
  const wanted = samples.flatMap(({ needs = [], suits = [] }) => [...needs, ...suits])
  expect(wanted.length).toBeGreaterThan(5)
  expect(wanted.filter((slug) => !slugs.has(slug))).toEqual([])
  for (const { slug, texts, file } of samples) {
    expect(file.bytes.length, slug).toBeLessThan(10_000)
    expect(new Set(Object.values(texts).map(({ short }) => short)).size, slug).toBe(3)
  }
})

test('they are made once, pass the gate, and are found as what they are', async () => {
  await ensureSamples(api.context)
  const count = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from releases`.execute(api.context.db)
    return rows[0]!.count
  }
  expect(await count()).toBe(samples.length)
  await ensureSamples(api.context)
  expect(await count()).toBe(samples.length)
  expect(await isChecking('flying-squid')).toBe(true)
  expect(await isChecking('velocity')).toBe(false)
  const { rows } = await sql<{ id: string; slug: string }>`select release.id, project.slug
    from releases release join projects project on project.id = release.project_id`.execute(api.context.db)
  for (const { id } of rows) await inspectRelease(api.context, id)
  const { rows: left } = await sql<{ slug: string; findings: unknown }>`select project.slug, release.findings
    from releases release join projects project on project.id = release.project_id
    where release.state <> 'published'`.execute(api.context.db)
  expect(left).toEqual([])
  expect(await isChecking('flying-squid')).toBe(false)
  const visitor = await api.signUp()
  async function find(query: object): Promise<string[]> {
    const found: string[] = []
    let after: string | undefined
    do {
      const { projects, has_more: hasMore } = await visitor.call(searchProjects, {
        query: { ...query, ...(after !== undefined && { after }) },
      })
      found.push(...projects.map(({ slug }) => slug))
      after = hasMore ? projects.at(-1)?.id : undefined
    } while (after !== undefined)
    return found.toSorted()
  }
  expect(await find({ labels: 'sample' })).toEqual(samples.map(({ slug }) => slug).toSorted())
  expect(await find({ labels: 'serverpack' })).toEqual(
    samples.flatMap(({ type, slug }) => (type === 'serverpack' ? [slug] : [])).toSorted(),
  )
})
