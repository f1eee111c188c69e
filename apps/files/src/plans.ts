/** What jobs do, from what is request. */
import { archiveFormats, jobKinds, splitPath, unpackModes } from '@wakestone/protocol/file-values'
import type { JobRequest } from '@wakestone/protocol/files'
import { pruneTicks, worldEditions } from '@wakestone/protocol/world-values'
import { type Body, invalid, takeOption, takeOverwrite, takePath, takePaths, takeTexts, takeWhole } from './body.ts'
import { planDelete, planPermissions } from './change.ts'
import { planCopy, planMeasure } from './copy.ts'
import type { Planned, Tools } from './jobs.ts'
import { setModes } from './permissions.ts'

/** @throws FileError for what cannot be done */
export async function planJob(request: JobRequest, { volume, trash }: Tools): Promise<Planned> {
  switch (request.kind) {
    case 'copy':
      return planCopy(volume, { overwrite: 'fail', ...request })
    case 'delete':
      return planDelete(volume, request.paths)
    case 'chmod':
      if (request.recursive) return planPermissions(volume, request)
      return { paths: request.paths, work: async () => setModes(volume, request.paths, request.mode) }
    case 'measure':
      return planMeasure(request.paths)
    // Loaded when they are needed, which is seldom.
    case 'pack':
      return (await import('./pack.ts')).planPack(volume, { overwrite: 'fail', ...request })
    case 'unpack':
      return (await import('./unpack.ts')).planUnpack(volume, { overwrite: 'fail', ...request })
    case 'world-copy':
    case 'world-import':
    case 'world-prune':
      return (await import('./worlds/plans.ts')).planWorldJob(volume, trash, request)
  }
}

export function readJobRequest(body: Body): JobRequest {
  const kind = takeOption(body, 'kind', jobKinds)
  switch (kind) {
    case 'copy':
      return { kind, from: takePaths(body, 'from'), to: takePath(body, 'to'), overwrite: takeOverwrite(body) }
    case 'delete':
    case 'measure':
      return { kind, paths: takePaths(body, 'paths') }
    case 'pack':
      return {
        kind,
        paths: takePaths(body, 'paths'),
        to: takePath(body, 'to'),
        format: takeOption(body, 'format', archiveFormats),
        overwrite: takeOverwrite(body),
      }
    case 'unpack':
      return {
        kind,
        path: takePath(body, 'path'),
        to: takePath(body, 'to'),
        overwrite: takeOption({ overwrite: 'fail', ...body }, 'overwrite', unpackModes),
        ...(body['entries'] !== undefined && { entries: takeEntries(body) }),
      }
    case 'world-copy':
      return { kind, folders: takePaths(body, 'folders'), names: takePaths(body, 'names') }
    case 'world-import':
      return {
        kind,
        path: takePath(body, 'path'),
        to: takePath(body, 'to'),
        edition: takeOption(body, 'edition', worldEditions),
      }
    case 'world-prune':
      return { kind, folders: takePaths(body, 'folders'), ticks: takeWhole(body, 'ticks', { to: pruneTicks }) }
    case 'chmod':
      if (![undefined, true, false].includes(body['recursive'] as boolean)) throw invalid('recursive')
      return {
        kind,
        paths: takePaths(body, 'paths'),
        mode: takeWhole(body, 'mode', { to: 0o777 }),
        recursive: body['recursive'] === true,
      }
  }
}

function takeEntries(body: Body): string[] {
  const entries = takeTexts(body, 'entries').map((entry) => entry.replace(/\/$/, ''))
  if (entries.some((entry) => splitPath(entry) === undefined)) throw invalid('entries')
  return entries
}
