/** What the parts of the files' screen share. */
import type { Game } from '@wakestone/contract/servers/server'
import { createContext, useContext } from 'react'

export type FilesPage = {
  identity: string
  serverId: string
  serverName: string
  game: Game
  /** The folder that is shown. */
  folder: string
  /** Whether what begins with a dot is shown too. */
  hidden: boolean
  setHidden: (hidden: boolean) => void
  /** Why nothing may be changed for now; undefined when everything may. */
  why: string | undefined
  openFolder: (folder: string) => void
  /** In the editor; `line` from 1. */
  openFile: (path: string, line?: number) => void
  /** The address of a folder, and of a file in the editor. */
  folderLink: (folder: string) => string
  fileLink: (path: string) => string
}

export const FilesContext = createContext<FilesPage | null>(null)

export function useFiles(): FilesPage {
  const page = useContext(FilesContext)
  if (page === null) throw new Error('files are wanted outside of their screen')
  return page
}
