/** Has the inspector look at all files of a release, and does what follows from it. */
import { setTimeout as delay } from 'node:timers/promises'
import { projectLimits } from '@wakestone/contract/marketplace/values'
import { inspect, NotInspected } from '#src/adapters/inspector/run.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { findProject } from '#src/features/marketplace/projects/service.ts'
import { artifactPath, dropIncoming, isWhole } from './artifacts.ts'
import { decide, type Inspected, judgeFiles } from './gate.ts'
import { providedNames } from './manifest.ts'
import * as repo from './repo.ts'
import { changeState, publishRelease } from './service.ts'

type Deps = Pick<Context, 'db' | 'settings' | 'fleet' | 'logger'>

/** Can be done again: nothing is written before all of it is known. */
export async function inspectRelease(deps: Deps, releaseId: string): Promise<void> {
  const { db } = deps
  const release = await repo.findRelease(db, releaseId)
  if (release?.state !== 'checking') return
  const files = await repo.selectArtifacts(db, [releaseId])
  const bad = await repo.selectQuarantined(
    db,
    files.map(({ sha256 }) => sha256),
  )
  const inspected: (Inspected & { artifactId: string })[] = []
  for (const file of files)
    inspected.push({
      artifactId: file.id,
      name: file.name,
      found: bad.has(file.sha256) ? 'quarantined' : await inspectFile(deps, file),
    })
  const project = await findProject(db, release.project_id)
  if (project === undefined) return
  const findings = judgeFiles(inspected, {
    projectType: project.project_type,
    loaders: release.loaders,
    version: release.version,
    provides: providedNames(release),
  })
  const last = await repo.findLastFindings(db, release.project_id)
  const verdict = decide(findings, {
    // Somebody has looked at what its author does; private ones are seen by nobody else.
    isKnown: last !== undefined || project.verified_at !== null || release.release_type === 'private',
    before: (last ?? []).map(({ rule }) => rule),
  })
  await inTransaction(db, async (trx) => {
    const now = await repo.lockRelease(trx, releaseId)
    if (now?.state !== 'checking') return
    // The look takes its time: what turned out to be malice meanwhile is not published.
    const spoilt = await repo.lockQuarantined(
      trx,
      files.map(({ sha256 }) => sha256),
    )
    if (spoilt.size > bad.size) throw new Error('a file was quarantined meanwhile: it is looked at again')
    for (const { artifactId, found } of inspected)
      if (typeof found !== 'string')
        await repo.writeDetails(trx, artifactId, {
          entries: found.entries,
          unpacked: found.unpacked,
          kind: found.markers[0] ?? null,
        })
    if (verdict === 'published') await publishRelease(trx, now, findings)
    else await changeState(trx, now, verdict, { findings })
  })
}

const mostTries = 3

async function inspectFile(
  { settings, fleet, logger }: Deps,
  { sha256, type }: repo.ArtifactRow,
): Promise<Inspected['found']> {
  if (!(await isWhole(settings, sha256))) return 'file_changed'
  for (let tries = 1; ; tries++)
    try {
      const found = await inspect(fleet.cluster, {
        kind: 'archive',
        file: artifactPath(settings, sha256),
        type,
        entries: projectLimits.entries,
        expansion: projectLimits.expansion,
      })
      return found.kind === 'archive' ? found : 'not_inspected'
    } catch (error) {
      if (!(error instanceof NotInspected)) throw error
      logger.warn({ error, sha256 }, 'a file could not be inspected')
      // It may be the machine's fault, not the file's.
      if (error.fault !== 'program' || tries === mostTries) return 'not_inspected'
      await delay(tries * 1_000)
    }
}

const draftMilliseconds = 48 * 3600_000

export async function clearDrafts({ db, settings }: Pick<Context, 'db' | 'settings'>, now = new Date()): Promise<void> {
  for (const id of await repo.selectStaleDrafts(db, new Date(now.getTime() - draftMilliseconds))) {
    const files = await repo.selectArtifacts(db, [id])
    await inTransaction(db, (trx) => repo.deleteRelease(trx, id))
    for (const file of files) await dropIncoming(settings, file.id)
  }
}
