import { ActionIcon, Menu, TextInput } from '@mantine/core'
import {
  IconFilePlus,
  IconFileUpload,
  IconFolderPlus,
  IconFolderUp,
  IconPlus,
  IconRefresh,
  IconSearch,
  IconUpload,
  IconWorldDownload,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import type { FileEntry } from '../file-entry.ts'
import classes from '../files.module.css'
import { useFiles } from '../use-files.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import type { DropHandlers } from './drag-files.ts'
import { FileMenu, IconAction, MenuActions } from './entry-menu.tsx'
import type { Asked, EntryAction } from './use-entry-actions.tsx'

/** Shown as buttons while something is chosen; the others are in the menu. */
const asButtons = new Set(['download', 'cut', 'copy', 'move', 'rename', 'unpack', 'trash'])

type Props = {
  chosen: readonly FileEntry[]
  actionsFor: (entries: readonly FileEntry[]) => EntryAction[]
  paste: EntryAction
  ask: (asked: Asked) => void
  chooseFiles: (isFolder: boolean) => void
  drop: DropHandlers
  filter: string
  onFilter: (filter: string) => void
  onSearch: (text: string) => void
  onRefresh: () => void
  isRefreshing: boolean
}

/** Where one is, what can be done here, and what is looked for. */
export function Toolbar(props: Props) {
  const { t } = useTranslation()
  const { chosen, actionsFor, drop, filter, onFilter, onSearch, onRefresh, isRefreshing } = props
  return (
    <div className={classes['toolbar']}>
      <div className={classes['place']}>
        <Breadcrumbs drop={drop} />
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label={t('files.refresh')}
          title={t('files.refresh')}
          onClick={onRefresh}
        >
          <IconRefresh size={17} aria-hidden data-turning={isRefreshing || undefined} />
        </ActionIcon>
      </div>
      <form
        className={classes['filter']}
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          if (filter.trim() !== '') onSearch(filter.trim())
        }}
      >
        <TextInput
          type="search"
          size="sm"
          aria-label={t('files.filter.label')}
          aria-describedby="files-filter-hint"
          placeholder={t('files.filter.short')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={filter}
          onChange={(event) => onFilter(event.currentTarget.value)}
        />
        <span id="files-filter-hint" className="visually-hidden">
          {t('files.filter.hint')}
        </span>
        {filter.trim() !== '' && (
          <Button size="small" type="submit" look="quiet">
            {t('files.filter.everywhere')}
          </Button>
        )}
      </form>
      <div className={classes['actions']}>
        {chosen.length === 0 ? <NewActions {...props} /> : <ChosenActions actions={actionsFor(chosen)} />}
        <UploadActions {...props} />
      </div>
    </div>
  )
}

function NewActions({ ask, paste }: Props) {
  const { t } = useTranslation()
  const { why } = useFiles()
  return (
    <>
      {paste.why === undefined && (
        <Button icon={paste.icon} onClick={paste.run}>
          {paste.label}
        </Button>
      )}
      <FileMenu position="bottom-end" width={230} disabled={why !== undefined}>
        <Menu.Target>
          <Button icon={<IconPlus />} why={why}>
            {t('files.new.new')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Item label={t('files.new.folder')} icon={<IconFolderPlus />} run={() => ask({ kind: 'new-folder' })} />
          <Item label={t('files.new.file')} icon={<IconFilePlus />} run={() => ask({ kind: 'new-file' })} />
        </Menu.Dropdown>
      </FileMenu>
    </>
  )
}

function UploadActions({ ask, chooseFiles }: Props) {
  const { t } = useTranslation()
  const { why } = useFiles()
  return (
    <FileMenu position="bottom-end" width={230} disabled={why !== undefined}>
      <Menu.Target>
        <Button look="primary" icon={<IconUpload />} why={why}>
          {t('files.upload.upload')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Item label={t('files.upload.files')} icon={<IconFileUpload />} run={() => chooseFiles(false)} />
        <Item label={t('files.upload.folder')} icon={<IconFolderUp />} run={() => chooseFiles(true)} />
        <Item label={t('files.fetch.title')} icon={<IconWorldDownload />} run={() => ask({ kind: 'fetch' })} />
      </Menu.Dropdown>
    </FileMenu>
  )
}

function Item({ label, icon, run }: { label: string; icon: ReactNode; run: () => void }) {
  return (
    <Menu.Item
      className={classes['menuItem']}
      leftSection={<span className={classes['menuIcon']}>{icon}</span>}
      onClick={run}
    >
      {label}
    </Menu.Item>
  )
}

function ChosenActions({ actions }: { actions: readonly EntryAction[] }) {
  const { t } = useTranslation()
  return (
    <div className={classes['chosen']} role="toolbar" aria-label={t('files.chosenActions')}>
      {actions
        .filter(({ id }) => asButtons.has(id))
        .map((action) => (
          <IconAction key={action.id} action={action} size={36} />
        ))}
      <FileMenu position="bottom-end" width={250}>
        <Menu.Target>
          <Button>{t('files.more')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuActions actions={actions} />
        </Menu.Dropdown>
      </FileMenu>
    </div>
  )
}
