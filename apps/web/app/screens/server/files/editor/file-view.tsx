import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { fileKind } from '../file-kind.ts'
import { statQuery } from '../files-queries.ts'
import { useFiles } from '../use-files.ts'
import { PictureView } from './picture-view.tsx'

const TextEditor = lazy(() => import('./text-editor.tsx'))
const DataView = lazy(() => import('./data-view.tsx'))
const PiecesView = lazy(() => import('./pieces-view.tsx'))

/** What is larger is read in pieces, and not edited. */
const mostEditedBytes = 4 * 1024 * 1024
const mostPictureBytes = 16 * 1024 * 1024

/** A file in the way that suits it: text, picture, or a log as it grows. */
export function FileView({ path, line }: { path: string; line: number | null }) {
  const { t } = useTranslation()
  const { serverId, folderLink } = useFiles()
  const stat = useQuery(statQuery(serverId, path))
  if (stat.data === undefined)
    return stat.error === null ? (
      <Skeleton height="56vh" />
    ) : (
      <ErrorState error={stat.error} title={t('files.editor.openFailed')} onRetry={() => void stat.refetch()} />
    )
  const { type, size, revision } = stat.data
  if (type === 'folder')
    return (
      <EmptyState
        figure="none"
        title={t('files.editor.isFolder')}
        text={path}
        action={<LinkButton to={folderLink(path)}>{t('files.do.open')}</LinkButton>}
      />
    )
  const kind = fileKind(path)
  if (kind === 'picture' && size <= mostPictureBytes) return <PictureView path={path} revision={revision ?? ''} />
  return (
    <Suspense fallback={<Skeleton height="56vh" />}>
      {kind === 'data' ? (
        <DataView path={path} revision={revision ?? ''} />
      ) : kind === 'log' || size > mostEditedBytes ? (
        <PiecesView path={path} size={size} isLog={kind === 'log'} />
      ) : (
        <TextEditor path={path} line={line} revision={revision} />
      )}
    </Suspense>
  )
}
