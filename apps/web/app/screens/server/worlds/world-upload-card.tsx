import { FileInput } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { OperationProgress } from '#app/ui/operation-progress.tsx'
import { useWorlds } from './use-worlds.ts'
import { type WorldUpload, worldUploadsOf } from './world-uploads.ts'
import classes from './worlds.module.css'

/** The archive that is on its way, or was: how far it is, and what can be done about it. */
export function WorldUploadCard({ onRename }: { onRename: (upload: WorldUpload) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { server, changed } = useWorlds()
  const uploads = worldUploadsOf(server.id)
  const upload = useSyncExternalStore(uploads.store.subscribe, uploads.store.get, uploads.store.getInitial)
  useEffect(() => {
    uploads.setImported(changed)
    uploads.find()
  })
  if (upload === null) return null
  const { name, file, size, sent, state, error, isThere } = upload
  const isMoving = state === 'sending' || state === 'paused' || state === 'offline'
  const detail = t('worlds.uploading', { done: format.bytes(sent), total: format.bytes(size) })
  return (
    <Card title={t('worlds.uploadOf', { name })}>
      <div className={classes['parts']}>
        {isMoving && (
          <OperationProgress
            label={t(`worlds.uploadState.${state}`, { file })}
            detail={detail}
            progress={size === 0 ? null : sent / size}
          />
        )}
        {state === 'importing' && <OperationProgress label={t('worlds.uploadState.importing')} progress={null} />}
        {state === 'interrupted' && (
          <FileInput
            label={t('worlds.uploadAgain', { file })}
            description={t('worlds.uploadAgainHint')}
            placeholder={t('worlds.uploadChoose')}
            value={null}
            onChange={(chosen) => chosen !== null && void uploads.start(chosen, name)}
          />
        )}
        {state === 'failed' && <ErrorNote error={error} />}
        <div className={classes['actions']}>
          {(state === 'sending' || state === 'offline') && (
            <Button size="small" icon={<IconPlayerPause />} onClick={() => void uploads.pause()}>
              {t('files.upload.pause')}
            </Button>
          )}
          {state === 'paused' && (
            <Button size="small" look="primary" icon={<IconPlayerPlay />} onClick={() => void uploads.resume()}>
              {t('files.upload.resume')}
            </Button>
          )}
          {state === 'failed' && isThere && (
            <>
              <Button size="small" look="primary" onClick={() => void uploads.importAgain(name)}>
                {t('worlds.uploadTakeIn')}
              </Button>
              <Button size="small" onClick={() => onRename(upload)}>
                {t('worlds.uploadOtherName')}
              </Button>
            </>
          )}
          {state !== 'importing' && (
            <Button size="small" look="quiet" onClick={() => void uploads.cancel()}>
              {t('worlds.uploadGiveUp')}
            </Button>
          )}
        </div>
        {isMoving && <p className={classes['muted']}>{t('worlds.uploadGoesOn')}</p>}
      </div>
    </Card>
  )
}
