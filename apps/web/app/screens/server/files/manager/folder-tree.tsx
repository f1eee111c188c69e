import { useQuery } from '@tanstack/react-query'
import { IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { FileIcon } from '../file-icon.tsx'
import classes from '../files.module.css'
import { folderQuery } from '../files-queries.ts'
import { isWithin, joinPath, nameOf, trailOf } from '../paths.ts'
import { useFiles } from '../use-files.ts'
import { type DropHandlers, dropTarget } from './drag-files.ts'
import { isFolder, sortEntries } from './sort-entries.ts'

/** More folders of one folder are found in its list. */
const mostShown = 300

type TreeProps = {
  label: string
  /** The one that is shown or chosen. */
  current: string
  onChoose?: (folder: string) => void
  drop?: DropHandlers
}

/** Folders, each loaded when it is unfolded. Links, or with `onChoose` a choice. */
export function FolderTree({ label, current, onChoose, drop }: TreeProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(trailOf(current)))
  useEffect(() => setOpen((before) => new Set([...before, ...trailOf(current)])), [current])
  const toggle = (folder: string, isOpen: boolean) => {
    const next = new Set(open)
    if (isOpen) next.add(folder)
    else for (const path of open) if (isWithin(path, folder)) next.delete(path)
    setOpen(next)
  }
  return (
    <ul className={classes['tree']} role="tree" aria-label={label} onKeyDown={moveFocus}>
      <Branch folder="" depth={0} open={open} toggle={toggle} current={current} onChoose={onChoose} drop={drop} />
    </ul>
  )
}

type BranchProps = Omit<TreeProps, 'label' | 'onChoose' | 'drop'> & {
  folder: string
  depth: number
  open: ReadonlySet<string>
  toggle: (folder: string, isOpen: boolean) => void
  onChoose: TreeProps['onChoose'] | undefined
  drop: DropHandlers | undefined
}

function Branch(props: BranchProps) {
  const { folder, depth, open, toggle, current, onChoose, drop } = props
  const { t } = useTranslation()
  const { serverId, hidden, folderLink, why } = useFiles()
  const isOpen = open.has(folder)
  const { data } = useQuery({ ...folderQuery(serverId, folder, hidden), enabled: isOpen })
  const below = useMemo(
    () =>
      data === undefined ? undefined : sortEntries(data.entries.filter(isFolder), { by: 'name', isDescending: false }),
    [data],
  )
  const name = folder === '' ? t('files.top') : nameOf(folder)
  const shared = {
    className: classes['treeName'],
    tabIndex: folder === current ? 0 : -1,
    'data-current': folder === current || undefined,
    ...(drop === undefined ? {} : dropTarget(folder, drop, why)),
  }
  const words = (
    <>
      <FileIcon entry={{ name, type: 'folder' }} size={16} />
      <span>{name}</span>
    </>
  )
  return (
    <li role="none">
      <div
        role="treeitem"
        aria-level={depth + 1}
        aria-expanded={below?.length === 0 ? undefined : isOpen}
        aria-selected={folder === current}
        className={classes['treeRow']}
        style={{ paddingInlineStart: depth * 14 }}
      >
        <button
          type="button"
          className={classes['fold']}
          tabIndex={-1}
          aria-hidden
          data-open={isOpen}
          data-empty={below?.length === 0}
          onClick={() => toggle(folder, !isOpen)}
        >
          <IconChevronRight size={14} aria-hidden />
        </button>
        {onChoose === undefined ? (
          <Link to={folderLink(folder)} {...shared}>
            {words}
          </Link>
        ) : (
          <button type="button" {...shared} onClick={() => onChoose(folder)}>
            {words}
          </button>
        )}
      </div>
      {isOpen && below !== undefined && below.length > 0 && (
        <ul role="group">
          {below.slice(0, mostShown).map((entry) => (
            <Branch key={entry.name} {...props} folder={joinPath(folder, entry.name)} depth={depth + 1} />
          ))}
          {below.length > mostShown && (
            <li role="none" className={classes['treeMore']} style={{ paddingInlineStart: (depth + 1) * 14 + 26 }}>
              {t('files.moreFolders', { count: below.length - mostShown })}
            </li>
          )}
        </ul>
      )}
    </li>
  )
}

/** Arrows go from folder to folder, and unfold and fold. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const at = (event.target as Element).closest<HTMLElement>('[role=treeitem]')
  if (at === null) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')]
  const place = all.indexOf(at)
  const focus = (item: Element | null | undefined) =>
    item?.querySelector<HTMLElement>('a, button:not([aria-hidden])')?.focus()
  const isOpen = at.getAttribute('aria-expanded')
  const fold = () => at.querySelector<HTMLElement>('button[aria-hidden]')?.click()
  if (event.key === 'ArrowDown') focus(all[place + 1])
  else if (event.key === 'ArrowUp') focus(all[place - 1])
  else if (event.key === 'Home') focus(all[0])
  else if (event.key === 'End') focus(all.at(-1))
  else if (event.key === 'ArrowRight') {
    if (isOpen === 'false') fold()
    else if (isOpen === 'true') focus(all[place + 1])
  } else if (event.key === 'ArrowLeft') {
    if (isOpen === 'true') fold()
    else focus(at.closest('[role=group]')?.parentElement?.querySelector('[role=treeitem]'))
  } else return
  event.preventDefault()
}
