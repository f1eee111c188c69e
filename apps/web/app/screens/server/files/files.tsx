import { useQuery } from '@tanstack/react-query'
import { type ExclusiveKind, holdsFiles, isOver } from '@wakestone/contract/servers/operations'
import { lazy, Suspense, useMemo, useState, useSyncExternalStore } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { switchCookie } from '#app/features/admin/admin-switches.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { operationsQuery } from '#app/features/servers/operations/operation-queries.ts'
import { useOperationName } from '#app/features/servers/operations/use-operation-name.ts'
import { forgetCookie, readCookie, writePreferenceCookie } from '#app/i18n/cookies.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useServerPage } from '../use-server-page.ts'
import type { Route } from './+types/files'
import { folderAddress, nameOf, readFolder } from './paths.ts'
import { FilesContext, type FilesPage } from './use-files.ts'

/** Lists, uploads and the editor weigh more than the panel: they come when files are opened. */
const FilesScreen = lazy(() => import('./files-screen.tsx'))

// What is open and on its way belongs to one visitor: a server, which has many, never loads it.
const never = () => () => {}
const inBrowser = () => true
const onServer = () => false

/** `/s/{identity}/files/*`: the folder that the address names, and with `?file=` a file in the editor. */
export default function ServerFiles({ params }: Route.ComponentProps) {
  const { t } = useTranslation()
  const { server, canManage } = useServerPage()
  const [search] = useSearchParams()
  const folder = readFolder(params['*'], search)
  const shown = search.get('file') ?? folder
  const isBrowser = useSyncExternalStore(never, inBrowser, onServer)
  const title = [...(shown === '' ? [] : [nameOf(shown)]), t('files.title'), server.name].join(' · ')
  return (
    <>
      <PageMeta page="serverFiles" title={title} />
      {!isBrowser && canManage ? (
        <FilesSkeleton />
      ) : canManage ? (
        <Suspense fallback={<FilesSkeleton />}>
          <OpenFiles folder={folder} />
        </Suspense>
      ) : (
        <PageHeader title={t('files.title')} text={t('server.because.capability')} />
      )}
    </>
  )
}

function OpenFiles({ folder }: { folder: string }) {
  const { identity, server } = useServerPage()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const why = useBusyWhy(server.id)
  const [hidden, setHidden] = useState(() => readCookie(document.cookie, switchCookie('hiddenFolders')) === '1')
  const page = useMemo<FilesPage>(() => {
    const folderLink = (to: string) => `/s/${identity}${folderAddress(to)}`
    const fileLink = (path: string, line?: number) => {
      const next = new URLSearchParams(search)
      next.set('file', path)
      if (line === undefined) next.delete('line')
      else next.set('line', String(line))
      return `${pathname}?${next}`
    }
    return {
      identity,
      serverId: server.id,
      serverName: server.name,
      game: server.parameters.game,
      folder,
      hidden,
      setHidden(wanted) {
        setHidden(wanted)
        if (wanted) writePreferenceCookie(switchCookie('hiddenFolders'), '1')
        else forgetCookie(switchCookie('hiddenFolders'))
      },
      why,
      folderLink,
      fileLink,
      openFolder: (to) => void navigate(folderLink(to)),
      openFile: (path, line) => void navigate(fileLink(path, line)),
    }
  }, [identity, server.id, server.name, server.parameters.game, folder, hidden, why, pathname, search, navigate])
  return (
    <FilesContext value={page}>
      <FilesScreen />
    </FilesContext>
  )
}

/** What works on all files at once leaves them to be read only. */
function useBusyWhy(serverId: string): string | undefined {
  const { t } = useTranslation()
  const nameOfOperation = useOperationName()
  const { data: operations = [] } = useQuery(operationsQuery(serverId))
  const busy = operations.find(({ kind, state }) => !isOver(state) && holdsFiles[kind as ExclusiveKind] === true)
  return busy === undefined ? undefined : t('files.busy', { name: nameOfOperation(busy) })
}

function FilesSkeleton() {
  const { t } = useTranslation()
  return (
    <div aria-busy="true">
      <PageHeader title={t('files.title')} />
      <Skeleton height="min(640px, 70vh)" radius={12} />
    </div>
  )
}
