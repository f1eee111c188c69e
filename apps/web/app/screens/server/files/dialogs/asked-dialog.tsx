import { useTranslation } from '#app/i18n/texts.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import type { Asked } from '../manager/use-entry-actions.tsx'
import { joinPath } from '../paths.ts'
import type { FileWork } from '../use-file-work.ts'
import { useFiles } from '../use-files.ts'
import { ArchiveDialog } from './archive-dialog.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { FetchDialog } from './fetch-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { NewEntryDialog } from './new-entry-dialog.tsx'
import { PackDialog } from './pack-dialog.tsx'
import { PermissionsDialog } from './permissions-dialog.tsx'

/** Whatever the manager asks before it does something. */
export function AskedDialog({
  asked,
  work,
  isTaken,
  transfer,
  onClose,
}: {
  asked: Asked | null
  work: FileWork
  /** Whether the folder has something of a name. */
  isTaken: (name: string) => boolean
  transfer: (from: readonly string[], to: string, isCopy: boolean) => void
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { folder } = useFiles()
  if (asked === null) return null
  const pathsOf = (entries: readonly { name: string }[]) => entries.map(({ name }) => joinPath(folder, name))
  switch (asked.kind) {
    case 'new-folder':
    case 'new-file':
      return <NewEntryDialog kind={asked.kind === 'new-folder' ? 'folder' : 'file'} work={work} onClose={onClose} />
    case 'fetch':
      return <FetchDialog onClose={onClose} />
    case 'move': {
      const paths = pathsOf(asked.entries)
      return <MoveDialog paths={paths} onTransfer={(to, isCopy) => transfer(paths, to, isCopy)} onClose={onClose} />
    }
    case 'pack':
      return <PackDialog entries={asked.entries} work={work} isTaken={isTaken} onClose={onClose} />
    case 'permissions':
      return <PermissionsDialog entries={asked.entries} work={work} onClose={onClose} />
    case 'archive':
      return <ArchiveDialog path={joinPath(folder, asked.entry.name)} work={work} onClose={onClose} />
    case 'remove':
      return (
        <ConfirmDialog
          opened
          onClose={onClose}
          title={t('files.remove.title', { count: asked.entries.length, name: asked.entries[0]?.name ?? '' })}
          text={t('files.remove.text')}
          action={t('files.remove.confirm')}
          onConfirm={() => work.remove(pathsOf(asked.entries))}
        />
      )
    case 'conflict': {
      const { from, to, isCopy, names } = asked
      const taken = new Set(names)
      return (
        <ConflictDialog
          names={names}
          onClose={onClose}
          onDecide={(choice) => {
            const left =
              choice === 'skip' ? from.filter((path) => !taken.has(path.slice(path.lastIndexOf('/') + 1))) : from
            if (left.length === 0) return
            const overwrite = choice === 'skip' ? 'fail' : choice
            void (isCopy ? work.copy(left, to, overwrite) : work.move(left, to, overwrite))
          }}
        />
      )
    }
  }
}
