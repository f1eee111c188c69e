/** What the files service tells, as the contract shows it. */
import type { ErrorCode } from '@wakestone/contract/errors'
import type { FileTree } from '@wakestone/contract/servers/file-tree'
import { fileLimits } from '@wakestone/contract/servers/file-values'
import { type FileJob, fileJobBody, type FileJobKind, type TrashEntry } from '@wakestone/contract/servers/files'
import type * as protocol from '@wakestone/protocol/files'
import { readCode, readFields } from '#src/adapters/files/errors.ts'

/** Work on worlds is shown as an operation of its own; here by what it does with files. */
const kinds: Record<protocol.Job['kind'], FileJobKind> = {
  copy: 'copy',
  delete: 'delete',
  pack: 'pack',
  unpack: 'unpack',
  chmod: 'chmod',
  measure: 'measure',
  'world-copy': 'copy',
  'world-import': 'unpack',
  'world-prune': 'delete',
}

export const describeJob = (job: protocol.Job): FileJob => ({
  id: job.id,
  kind: kinds[job.kind],
  state: job.state,
  done: job.done,
  total: job.total,
  bytes: job.bytes,
  bytes_total: job.bytesTotal,
  item: job.item,
  error: job.error === null ? null : describeFault(job.error),
  // Of work on worlds it is nothing that anybody could ask for here.
  request: fileJobBody.safeParse(job.request).data ?? null,
  path: job.path,
  paths: job.paths,
  to: job.to,
  created_at: job.createdAt,
  ended_at: job.endedAt,
})

function describeFault({ code, fields }: NonNullable<protocol.Job['error']>) {
  const shown = readFields(fields)
  return { code: readCode(code) ?? ('service_unavailable' satisfies ErrorCode), ...(shown && { fields: shown }) }
}

const dayMilliseconds = 86_400_000

export const describeTrash = ({ id, path, type, size, deletedAt }: protocol.TrashEntry): TrashEntry => ({
  id,
  path,
  type,
  size,
  deleted_at: deletedAt,
  until: new Date(Date.parse(deletedAt) + fileLimits.trashDays * dayMilliseconds).toISOString(),
})

export const describeTree = (tree: protocol.Tree): FileTree =>
  tree.kind === 'region'
    ? {
        ...tree,
        chunks: tree.chunks.map(({ writtenAt, ...chunk }) => ({
          ...chunk,
          written_at: writtenAt > 0 ? writtenAt : null,
        })),
      }
    : tree
