import { useQuery } from '@tanstack/react-query'
import { IconArrowUp, IconFileZip, IconFolder } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { fileKind } from '../files/file-kind.ts'
import { folderQuery } from '../files/files-queries.ts'
import { folderOf, joinPath } from '../files/paths.ts'
import classes from './worlds.module.css'

/** A list holds no more rows. */
const mostShown = 300

/** Folders of the server, and the archives in them: one of these is picked. */
export function ArchivePicker({
  serverId,
  value,
  onChange,
}: {
  serverId: string
  value: string | null
  onChange: (path: string | null) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const [folder, setFolder] = useState(() => (value === null ? '' : folderOf(value)))
  const { data, error } = useQuery(folderQuery(serverId, folder, false))
  const open = (path: string) => {
    onChange(null)
    setFolder(path)
  }
  if (error !== null) return <ErrorNote error={error} />
  if (data === undefined) return <Skeleton height={180} />
  const entries = data.entries
    .filter(({ name, type }) => type === 'folder' || (type === 'file' && fileKind(name) === 'archive'))
    .toSorted((a, b) => Number(b.type === 'folder') - Number(a.type === 'folder') || a.name.localeCompare(b.name))
    .slice(0, mostShown)
  return (
    <fieldset className={classes['fieldset']}>
      <legend>{t('worlds.pick.label', { folder: folder === '' ? t('files.top') : folder })}</legend>
      <ul className={classes['picker']}>
        {folder !== '' && (
          <li>
            <button type="button" onClick={() => open(folderOf(folder))}>
              <IconArrowUp size={16} aria-hidden />
              <span>{t('worlds.pick.up')}</span>
            </button>
          </li>
        )}
        {entries.map(({ name, type, size }) => {
          const path = joinPath(folder, name)
          return (
            <li key={name}>
              {type === 'folder' ? (
                <button type="button" onClick={() => open(path)}>
                  <IconFolder size={16} aria-hidden />
                  <span>{name}</span>
                </button>
              ) : (
                <label>
                  <input type="radio" name="archive" checked={value === path} onChange={() => onChange(path)} />
                  <IconFileZip size={16} aria-hidden />
                  <span>{name}</span>
                  <small>{format.bytes(size)}</small>
                </label>
              )}
            </li>
          )
        })}
      </ul>
      {!entries.some(({ type }) => type === 'file') && <p className={classes['muted']}>{t('worlds.pick.none')}</p>}
    </fieldset>
  )
}
