import { IconKey } from '@tabler/icons-react'
import { tellBackupKey } from '@wakestone/contract/servers/backups-routes'
import type { RouteResult } from '@wakestone/contract/route'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { CodeBlock } from '#app/ui/code-block.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { useServerPage } from '../use-server-page.ts'
import classes from './backups.module.css'

/** What opens these backups anywhere, for whoever owns the server. */
export function KeyCard() {
  const { t } = useTranslation()
  const { server } = useServerPage()
  const [key, setKey] = useState<RouteResult<typeof tellBackupKey> | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const isOwner = server.user_capabilities['server'] === true
  const show = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      setKey(await api(tellBackupKey, { params: { id: server.id } }))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={t('backups.keyTitle')}>
      <div className={classes['parts']}>
        <p>{t('backups.keyText')}</p>
        {key === null ? (
          <div>
            <Button
              icon={<IconKey />}
              loading={busy}
              why={isOwner ? undefined : t('backups.keyOfOwner')}
              onClick={() => void show()}
            >
              {t('backups.keyShow')}
            </Button>
          </div>
        ) : (
          <>
            <CodeBlock name={t('backups.keyPassword')} text={key.password} />
            <CodeBlock name={t('backups.keyCommands')} text={key.commands.join('\n')} />
            <p className={classes['muted']}>{t('backups.keyHint')}</p>
          </>
        )}
        {failure !== undefined && <ErrorNote error={failure} />}
      </div>
    </Card>
  )
}
