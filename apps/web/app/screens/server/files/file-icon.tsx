import {
  IconDatabase,
  IconFile,
  IconFileText,
  IconFileZip,
  IconFolder,
  IconLink,
  IconListDetails,
  IconPackage,
  IconPhoto,
} from '@tabler/icons-react'
import type { FileEntry } from './file-entry.ts'
import { fileKind } from './file-kind.ts'
import classes from './files.module.css'

const icons = {
  text: IconFileText,
  log: IconListDetails,
  picture: IconPhoto,
  archive: IconFileZip,
  program: IconPackage,
  data: IconDatabase,
  unknown: IconFile,
}

export function FileIcon({ entry, size = 18 }: { entry: Pick<FileEntry, 'name' | 'type'>; size?: number }) {
  const Icon = entry.type === 'folder' ? IconFolder : entry.type === 'link' ? IconLink : icons[fileKind(entry.name)]
  return <Icon className={classes['icon']} data-type={entry.type} size={size} aria-hidden />
}
