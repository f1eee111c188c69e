/** What can be done with files. What fails is told by a toast; what changed is asked for anew. */
import { useQueryClient } from '@tanstack/react-query'
import {
  fileLimits,
  type ArchiveFormat,
  type OverwriteMode,
  type UnpackMode,
} from '@wakestone/contract/servers/file-values'
import type { FileJobBody } from '@wakestone/contract/servers/files'
import {
  createFileJob,
  createFileTicket,
  deleteFiles,
  listFileJobs,
  listTrash,
  makeFolder,
  moveFiles,
  renameFile,
  restoreTrash,
} from '@wakestone/contract/servers/files-routes'
import { useMemo } from 'react'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { filesChanged } from '#app/features/servers/files-changed.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import type { FileEntry } from './file-entry.ts'
import { writeContent } from './file-content.ts'
import { folderQuery } from './files-queries.ts'
import { tellDone } from './notice.ts'
import { nameOf } from './paths.ts'
import { useFiles } from './use-files.ts'

/** As many paths as one call may name. */
function inParts(paths: readonly string[]): string[][] {
  const parts: string[][] = []
  for (let at = 0; at < paths.length; at += fileLimits.paths) parts.push(paths.slice(at, at + fileLimits.paths))
  return parts
}

export function useFileWork() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { serverId } = useFiles()
  return useMemo(() => {
    const params = { id: serverId }
    const changed = () => filesChanged(queries, serverId)
    /** Answers whether it was done. */
    const attempt = async (what: string, work: () => Promise<unknown>): Promise<boolean> => {
      try {
        await work()
        return true
      } catch (error) {
        showErrorToast(error, what)
        return false
      } finally {
        await changed()
      }
    }
    const start = (body: FileJobBody) => api(createFileJob, { params, body })
    const begin = async (what: string, body: FileJobBody) =>
      attempt(what, async () => {
        await start(body)
        await makeStale(queries, answersOf(listFileJobs, params))
      })
    /** By what it was called: the trash tells no more than that. */
    const restore = async (paths: readonly string[]) => {
      const { entries } = await api(listTrash, { params })
      const ids = paths.flatMap((path) => entries.find((entry) => entry.path === path)?.id ?? [])
      if (ids.length > 0) await api(restoreTrash, { params, body: { ids } })
      await changed()
    }
    return {
      changed,
      /** What a folder holds; nothing where it cannot be told. */
      namesIn: async (folder: string, hidden: boolean): Promise<ReadonlySet<string>> => {
        const { entries } = await queries
          .fetchQuery({ ...folderQuery(serverId, folder, hidden), staleTime: 0 })
          .catch(() => ({ entries: [] as readonly FileEntry[] }))
        return new Set(entries.map(({ name }) => name))
      },
      move: (from: readonly string[], to: string, overwrite: OverwriteMode = 'fail') =>
        attempt(t('files.failed.move'), async () => {
          for (const part of inParts(from)) await api(moveFiles, { params, body: { from: part, to, overwrite } })
          tellDone(t('files.done.moved', { count: from.length, folder: to === '' ? t('files.top') : nameOf(to) }))
        }),
      copy: async (from: readonly string[], to: string, overwrite: OverwriteMode = 'fail') => {
        for (const part of inParts(from))
          if (!(await begin(t('files.failed.copy'), { kind: 'copy', from: part, to, overwrite }))) return false
        return true
      },
      /** Throws: the name that is refused stays to be changed. */
      rename: async (from: string, to: string) => {
        await api(renameFile, { params, body: { from, to } })
        await changed()
      },
      makeFolder: async (path: string) => {
        await api(makeFolder, { params, body: { path } })
        await changed()
      },
      makeFile: async (path: string) => {
        await writeContent(serverId, path, new Uint8Array(), null)
        await changed()
      },
      trash: (paths: readonly string[]) =>
        attempt(t('files.failed.delete'), async () => {
          for (const part of inParts(paths)) await api(deleteFiles, { params, body: { paths: part } })
          tellDone(t('files.done.trashed', { count: paths.length }), () => restore(paths))
        }),
      remove: async (paths: readonly string[]) => {
        for (const part of inParts(paths))
          if (!(await begin(t('files.failed.delete'), { kind: 'delete', paths: part }))) return false
        return true
      },
      measure: (paths: readonly string[]) =>
        begin(t('files.failed.measure'), { kind: 'measure', paths: paths.slice(0, fileLimits.paths) }),
      pack: (paths: string[], to: string, format: ArchiveFormat) =>
        start({ kind: 'pack', paths, to, format, overwrite: 'fail' }),
      unpack: (path: string, to: string, overwrite: UnpackMode, entries?: string[]) =>
        start({ kind: 'unpack', path, to, overwrite, ...(entries === undefined ? {} : { entries }) }),
      setMode: (paths: string[], mode: number, recursive: boolean) =>
        api(createFileJob, { params, body: { kind: 'chmod', paths, mode, recursive } }),
      jobsChanged: () => makeStale(queries, answersOf(listFileJobs, params)),
      /** One file as it is, anything else as an archive. */
      download: async (paths: string[], isOneFile: boolean, format: ArchiveFormat = 'zip') => {
        try {
          const [path = ''] = paths
          const { url } = await api(createFileTicket, {
            params,
            body: isOneFile ? { purpose: 'read', path } : { purpose: 'archive', paths, format },
          })
          const link = document.createElement('a')
          link.href = url
          link.download = ''
          link.click()
        } catch (error) {
          showErrorToast(error, t('files.failed.download'))
        }
      },
    }
  }, [queries, serverId, t])
}
export type FileWork = ReturnType<typeof useFileWork>
