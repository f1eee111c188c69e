import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconArrowUp, IconFolder } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import { folderQuery } from '../files/files-queries.ts'
import { folderOf, joinPath } from '../files/paths.ts'
import classes from './packages.module.css'

/** Files and folders of one folder of a server. */
export function FilePicker({
  serverId,
  picked,
  onChange,
}: {
  serverId: string
  picked: readonly string[]
  onChange: (paths: readonly string[]) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const [folder, setFolder] = useState('')
  const { data, error, refetch } = useQuery(folderQuery(serverId, folder, false))
  const open = (next: string) => {
    // What is picked lies in one folder.
    onChange([])
    setFolder(next)
  }
  const entries = data?.entries
    .filter(({ type }) => type === 'file' || type === 'folder')
    .toSorted((one, other) =>
      one.type === other.type ? one.name.localeCompare(other.name) : one.type === 'folder' ? -1 : 1,
    )
  return (
    <div className={classes['plan']}>
      <div className={classes['actions']}>
        <code className={classes['place']}>/{folder}</code>
        {folder !== '' && (
          <Button
            size="small"
            look="quiet"
            icon={<IconArrowUp size={16} aria-hidden="true" />}
            onClick={() => open(folderOf(folder))}
          >
            {t('packages.folderUp')}
          </Button>
        )}
      </div>
      {entries === undefined ? (
        error === null ? (
          <SkeletonText lines={5} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : entries.length === 0 ? (
        <p className={classes['muted']}>{t('packages.folderEmpty')}</p>
      ) : (
        <ul className={classes['entries']}>
          {entries.map(({ name, type, size }) => {
            const path = joinPath(folder, name)
            return (
              <li key={name}>
                <Checkbox
                  label={name}
                  checked={picked.includes(path)}
                  onChange={(event) =>
                    onChange(event.currentTarget.checked ? [...picked, path] : picked.filter((one) => one !== path))
                  }
                />
                {type === 'folder' ? (
                  <Button
                    size="small"
                    look="quiet"
                    icon={<IconFolder size={16} aria-hidden="true" />}
                    aria-label={t('packages.openFolder', { name })}
                    onClick={() => open(path)}
                  >
                    {t('packages.folder')}
                  </Button>
                ) : (
                  <span className={classes['muted']}>{format.bytes(size)}</span>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
