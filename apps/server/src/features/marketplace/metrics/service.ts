/** How often projects are looked at, downloaded and installed. An address counts once a day; none is kept. */
import { createHmac } from 'node:crypto'
import { networkOf } from '#src/features/ground/limits/service.ts'
import type { Context } from '#src/context.ts'
import * as repo from './repo.ts'

type Deps = Pick<Context, 'db' | 'secrets'>
type Visit = { projectId: string; ip: string; country: string | undefined }

const isNew = ({ db, secrets }: Deps, kind: string, { projectId, ip }: Visit) => {
  const day = new Date().toISOString().slice(0, 10)
  const digest = createHmac('sha256', secrets.session.privateKey).update(`${kind} ${projectId} ${day} ${networkOf(ip)}`)
  return repo.isFirstToday(db, digest.digest())
}

const nowhere = { version: '', engine: '' }

export async function countView(deps: Deps, visit: Visit): Promise<void> {
  if (await isNew(deps, 'view', visit))
    await repo.addMetric(deps.db, {
      ...nowhere,
      metric: 'views',
      projectId: visit.projectId,
      country: visit.country ?? '',
    })
}

export async function countDownload(
  deps: Deps,
  visit: Visit & { release: { id: string; version: string } },
): Promise<void> {
  const { release, projectId, country = '' } = visit
  if (!(await isNew(deps, `download ${release.id}`, visit))) return
  await repo.addMetric(deps.db, { ...nowhere, metric: 'downloads', projectId, version: release.version, country })
  await repo.addReleaseDownload(deps.db, release.id)
}

export { selectMetrics } from './repo.ts'
