import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconX } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import type { FileEntry } from '../file-entry.ts'
import classes from '../files.module.css'
import { notice } from '../notice.ts'
import { FileMenu, IconAction, MenuActions } from './entry-menu.tsx'
import { isFolder } from './sort-entries.ts'
import type { EntryAction } from './use-entry-actions.tsx'

/** What was done is told this long. */
const noticeShown = 10_000
/** For a thumb; the others are in the menu. */
const asIcons = ['download', 'copy', 'cut', 'rename', 'trash']

const sizeOf = (entries: readonly FileEntry[]) =>
  entries.reduce((sum, { type, size }) => (type === 'file' ? sum + size : sum), 0)

/** How many there are and are chosen, and what was just done; on phones also what can be done with those chosen. */
export function ManagerFoot({
  shown,
  chosen,
  isTruncated,
  actions,
  onNone,
}: {
  shown: readonly FileEntry[]
  chosen: readonly FileEntry[]
  isTruncated: boolean
  actions: readonly EntryAction[]
  onNone: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const folders = shown.filter(isFolder).length
  return (
    <>
      <div className={classes['foot']}>
        <span role="status">
          {chosen.length > 0
            ? `${t('table.selected', { count: chosen.length })} · ${format.bytes(sizeOf(chosen))}`
            : [
                t('files.count.folders', { count: folders }),
                t('files.count.files', { count: shown.length - folders }),
                format.bytes(sizeOf(shown)),
              ].join(' · ')}
          {isTruncated && ` · ${t('files.count.truncated')}`}
        </span>
        <NoticeLine />
      </div>
      {chosen.length > 0 && (
        <div className={classes['thumbBar']} role="toolbar" aria-label={t('files.chosenActions')}>
          <ActionIcon variant="subtle" color="gray" size={44} aria-label={t('table.selectNone')} onClick={onNone}>
            <IconX size={20} aria-hidden />
          </ActionIcon>
          <strong>{format.number(chosen.length)}</strong>
          {actions
            .filter(({ id }) => asIcons.includes(id))
            .map((action) => (
              <IconAction key={action.id} action={action} size={44} />
            ))}
          <FileMenu position="top-end" width={260}>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" size={44} aria-label={t('files.more')}>
                <IconDots size={20} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <MenuActions actions={actions} />
            </Menu.Dropdown>
          </FileMenu>
        </div>
      )}
    </>
  )
}

function NoticeLine() {
  const { t } = useTranslation()
  const told = useSyncExternalStore(notice.subscribe, notice.get, notice.getInitial)
  useEffect(() => {
    if (told === null) return
    const timer = setTimeout(() => notice.set(null), noticeShown)
    return () => clearTimeout(timer)
  }, [told])
  const undo = async () => {
    notice.set(null)
    await told?.undo?.().catch((error: unknown) => showErrorToast(error, t('files.failed.undo')))
  }
  return (
    <span className={classes['notice']} role="status">
      {told !== null && (
        <>
          {told.text}
          {told.undo !== undefined && (
            <Button size="small" look="quiet" onClick={() => void undo()}>
              {t('files.undo')}
            </Button>
          )}
        </>
      )}
    </span>
  )
}
