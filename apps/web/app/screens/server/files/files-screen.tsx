import { Switch } from '@mantine/core'
import { IconPlugConnected, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { LinkButton } from '#app/ui/button.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { DiskBar, DiskWarning } from './disk-bar.tsx'
import classes from './files.module.css'
import { Manager } from './manager/manager.tsx'
import { ActivityPanel } from './uploads/activity-panel.tsx'
import { type Found, readChosen } from './uploads/read-dropped.ts'
import { uploadsOf } from './uploads/uploads.ts'
import { useFiles } from './use-files.ts'

const Editor = lazy(() => import('./editor/editor.tsx'))

/** The manager, and over it the editor while a file is open; uploads go on beside both. */
export default function FilesScreen() {
  const { t } = useTranslation()
  const { serverId, identity, folder, hidden, setHidden, why } = useFiles()
  const [search] = useSearchParams()
  const file = search.get('file')
  const uploads = useMemo(() => uploadsOf(serverId), [serverId])
  const files = useRef<HTMLInputElement>(null)
  const folders = useRef<HTMLInputElement>(null)
  const upload = async (found: Found, to: string) => {
    try {
      await uploads.add(found, to)
    } catch (error) {
      showErrorToast(error, t('files.failed.upload'))
    }
  }
  const choose = (isFolder: boolean) => (isFolder ? folders : files).current?.click()
  const pick = (isFolder: boolean) => (
    <input
      ref={isFolder ? folders : files}
      type="file"
      multiple
      hidden
      data-testid={isFolder ? 'choose-folder' : 'choose-files'}
      {...(isFolder ? { webkitdirectory: '' } : {})}
      onChange={(event) => {
        const { files: chosen } = event.currentTarget
        if (chosen !== null && chosen.length > 0) void upload(readChosen(chosen), folder)
        event.currentTarget.value = ''
      }}
    />
  )
  return (
    <div className={classes['screen']}>
      <PageHeader
        title={t('files.title')}
        beside={<DiskBar />}
        actions={
          <div className={classes['headActions']}>
            <Switch
              label={t('files.hidden')}
              checked={hidden}
              onChange={(event) => setHidden(event.currentTarget.checked)}
            />
            <LinkButton to={`/s/${identity}/settings#sftp`} icon={<IconPlugConnected />}>
              {t('sftp.title')}
            </LinkButton>
            <LinkButton to={`/s/${identity}/files/trash`} icon={<IconTrash />}>
              {t('files.trash.title')}
            </LinkButton>
          </div>
        }
      />
      <DiskWarning />
      {why !== undefined && (
        <p className={classes['busy']} role="status">
          {why}
        </p>
      )}
      {pick(false)}
      {pick(true)}
      {file !== null && (
        <Suspense fallback={<Skeleton height="60vh" radius={12} />}>
          <Editor path={file} line={Number(search.get('line')) || null} />
        </Suspense>
      )}
      <section className={classes['manager']} hidden={file !== null} aria-label={t('files.title')}>
        <Manager uploads={uploads} upload={upload} chooseFiles={choose} />
      </section>
      <ActivityPanel uploads={uploads} choose={choose} />
    </div>
  )
}
