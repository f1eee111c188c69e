import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { pathOf } from '@wakestone/contract/client'
import { type ArchiveLine, type UnpackMode, unpackModes } from '@wakestone/contract/servers/file-values'
import { listArchive } from '@wakestone/contract/servers/files-routes'
import { useMemo, useRef, useState } from 'react'
import { queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { FileIcon } from '../file-icon.tsx'
import { archiveStem } from '../file-kind.ts'
import classes from '../files.module.css'
import { folderOf, joinPath, nameOf } from '../paths.ts'
import { readLines } from '#app/api/read-lines.ts'
import type { FileWork } from '../use-file-work.ts'
import { useFiles } from '../use-files.ts'
import { useRows } from '../use-rows.ts'

function archiveQuery(serverId: string, path: string) {
  const call = { params: { id: serverId }, query: { path } } as const
  const read = async (): Promise<{ lines: ArchiveLine[]; isTruncated: boolean }> => ({ lines: [], isTruncated: false })
  return {
    ...queryOf(listArchive, call, { read }),
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const lines: ArchiveLine[] = []
      const reading = readLines<ArchiveLine>(pathOf(listArchive, call), signal)
      for (;;) {
        const { done, value } = await reading.next()
        if (done) return { lines, isTruncated: value }
        lines.push(...value)
      }
    },
  }
}

const rowHeight = 34

/** What is in an archive, and unpacking it: all, or what is chosen. */
export function ArchiveDialog({ path, work, onClose }: { path: string; work: FileWork; onClose: () => void }) {
  const { t } = useTranslation()
  const { serverId, why } = useFiles()
  const { data, error } = useQuery(archiveQuery(serverId, path))
  const [filter, setFilter] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [to, setTo] = useState<'here' | 'own'>('here')
  const [overwrite, setOverwrite] = useState<UnpackMode>('fail')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const wanted = filter.trim().toLowerCase()
  const shown = useMemo(() => data?.lines.filter(([name]) => name.toLowerCase().includes(wanted)) ?? [], [data, wanted])
  const stem = archiveStem(path)
  const unpack = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const folder = to === 'here' ? folderOf(path) : joinPath(folderOf(path), stem)
      await work.unpack(path, folder, overwrite, chosen.size === 0 ? undefined : [...chosen])
      await work.jobsChanged()
      onClose()
    } catch (refusal) {
      setFailure(refusal)
      setBusy(false)
    }
  }
  const toggle = (name: string) => {
    const next = new Set(chosen)
    if (!next.delete(name)) next.add(name)
    setChosen(next)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={nameOf(path)}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            look="primary"
            loading={busy}
            why={why ?? (data === undefined ? t('files.archive.reading') : undefined)}
            onClick={() => void unpack()}
          >
            {chosen.size === 0 ? t('files.archive.unpackAll') : t('files.archive.unpackSome', { count: chosen.size })}
          </Button>
        </>
      }
    >
      <div className={classes['archive']}>
        {error !== null && <ErrorNote error={error} />}
        {data === undefined && error === null && <Skeleton height={240} />}
        {data !== undefined && (
          <>
            <TextInput
              type="search"
              aria-label={t('files.archive.filter')}
              placeholder={t('files.archive.filter')}
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value)}
            />
            <p className={classes['hint']}>
              {t('files.archive.count', { count: data.lines.length })}
              {data.isTruncated && ` ${t('files.archive.truncated')}`}
            </p>
            <Lines lines={shown} chosen={chosen} onToggle={toggle} />
          </>
        )}
        <Segmented
          label={t('files.archive.where')}
          options={[
            { value: 'here', label: t('files.archive.here') },
            { value: 'own', label: t('files.archive.own', { name: stem }) },
          ]}
          value={to}
          onChange={setTo}
        />
        <NativeSelect
          label={t('files.archive.taken')}
          data={unpackModes.map((value) => ({ value, label: t(`files.archive.takenModes.${value}`) }))}
          value={overwrite}
          onChange={(event) => setOverwrite(event.currentTarget.value as UnpackMode)}
        />
        {failure !== undefined && <ErrorNote error={failure} />}
      </div>
    </Modal>
  )
}

function Lines({
  lines,
  chosen,
  onToggle,
}: {
  lines: readonly ArchiveLine[]
  chosen: ReadonlySet<string>
  onToggle: (name: string) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const box = useRef<HTMLDivElement>(null)
  const rows = useRows(box, { count: lines.length, height: rowHeight })
  return (
    <div
      ref={box}
      className={classes['archiveLines']}
      tabIndex={0}
      role="group"
      aria-label={t('files.archive.content')}
    >
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const [name, type, size] = lines[index]!
          return (
            <label key={name} className={classes['archiveLine']} style={{ transform: `translateY(${start}px)` }}>
              <input type="checkbox" checked={chosen.has(name)} onChange={() => onToggle(name)} />
              <FileIcon entry={{ name, type }} size={16} />
              <span title={name}>{name}</span>
              <small>{type === 'file' ? format.bytes(size) : ''}</small>
            </label>
          )
        })}
      </div>
    </div>
  )
}
