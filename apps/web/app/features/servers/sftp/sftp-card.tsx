import { Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  changeRemoteFiles,
  createRemoteFilesToken,
  deleteRemoteFilesToken,
  getRemoteFiles,
} from '@wakestone/contract/servers/remotefs-routes'
import type { RemoteFiles } from '@wakestone/contract/servers/remotefs'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Address } from '#app/ui/address.tsx'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { CodeBlock } from '#app/ui/code-block.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import classes from './sftp-card.module.css'

const remoteFilesQuery = (serverId: string) => queryOf(getRemoteFiles, { params: { id: serverId } })

/** How the viewer reaches the files of a server over SFTP. For whoever may manage it. */
export function SftpCard({ serverId }: { serverId: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(remoteFilesQuery(serverId))
  return (
    <Card title={t('sftp.card')} id="sftp">
      <p className={classes['text']}>{t('sftp.text')}</p>
      {data === undefined ? (
        error === null ? (
          <Skeleton height={280} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Access serverId={serverId} remote={data} />
      )}
    </Card>
  )
}

function Access({ serverId, remote }: { serverId: string; remote: RemoteFiles }) {
  const { t } = useTranslation()
  const { host, port, username, host_keys } = remote
  const login = `${username}@${host}`
  return (
    <div className={classes['parts']}>
      <div className={classes['rows']}>
        <KeyValueList
          rows={[
            { key: t('sftp.host'), value: <Address address={host} kind="host" /> },
            { key: t('sftp.port'), value: <Address address={String(port)} kind="port" /> },
            { key: t('sftp.username'), value: <Address address={username} kind="username" /> },
            { key: t('sftp.address'), value: <Address address={`sftp://${login}:${port}`} kind="url" /> },
          ]}
        />
      </div>
      <Password serverId={serverId} remote={remote} />
      <KeysOnly serverId={serverId} isOn={remote.keys_only} />
      <CodeBlock name={t('sftp.terminal')} text={`sftp -P ${port} ${login}`} />
      <section>
        <h3 className={classes['title']}>{t('sftp.fingerprints')}</h3>
        <p className={classes['text']}>{t('sftp.fingerprintsHint')}</p>
        <ul className={classes['prints']}>
          {host_keys.map(({ algorithm, fingerprint }) => (
            <li key={algorithm}>
              {algorithm} <code>{fingerprint}</code>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

function Password({ serverId, remote }: { serverId: string; remote: RemoteFiles }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [made, setMade] = useState<string | null>(null)
  const [asks, setAsks] = useState<'renew' | 'remove' | null>(null)
  const [isBusy, setBusy] = useState(false)
  const params = { id: serverId }
  const { password_created_at: createdAt } = remote
  const close = () => setAsks(null)
  const make = async () => {
    const { password } = await api(createRemoteFilesToken, { params })
    setMade(password)
    await queries.invalidateQueries(remoteFilesQuery(serverId))
  }
  const remove = async () => {
    await api(deleteRemoteFilesToken, { params })
    setMade(null)
    await queries.invalidateQueries(remoteFilesQuery(serverId))
  }
  const makeFirst = async () => {
    setBusy(true)
    await make().catch((error: unknown) => showErrorToast(error, t('sftp.make')))
    setBusy(false)
  }
  return (
    <section>
      <div className={classes['password']}>
        <p>
          <b>{t('sftp.password')}</b>
          <br />
          {createdAt === null ? (
            t('sftp.noPassword')
          ) : (
            <>
              {t('sftp.passwordMade')} <DateTime value={createdAt} />
            </>
          )}
        </p>
        <div className={classes['buttons']}>
          {createdAt === null ? (
            <Button look="primary" loading={isBusy} onClick={() => void makeFirst()}>
              {t('sftp.make')}
            </Button>
          ) : (
            <>
              <Button onClick={() => setAsks('renew')}>{t('sftp.renew')}</Button>
              <Button look="quiet" onClick={() => setAsks('remove')}>
                {t('sftp.remove')}
              </Button>
            </>
          )}
        </div>
      </div>
      {made !== null && (
        <div className={classes['made']} aria-live="polite">
          <p>{t('sftp.shownText')}</p>
          <CodeBlock name={t('sftp.shownTitle')} text={made} />
          <Button onClick={() => setMade(null)}>{t('sftp.seen')}</Button>
        </div>
      )}
      <ConfirmDialog
        opened={asks === 'renew'}
        onClose={close}
        title={t('sftp.renewTitle')}
        text={t('sftp.renewText')}
        action={t('sftp.renew')}
        onConfirm={make}
      />
      <ConfirmDialog
        opened={asks === 'remove'}
        onClose={close}
        title={t('sftp.removeTitle')}
        text={t('sftp.removeText')}
        action={t('sftp.remove')}
        onConfirm={remove}
      />
    </section>
  )
}

function KeysOnly({ serverId, isOn }: { serverId: string; isOn: boolean }) {
  const { t } = useTranslation()
  const path = usePath()
  const queries = useQueryClient()
  const set = async (value: boolean) => {
    try {
      const now = await api(changeRemoteFiles, { params: { id: serverId }, body: { keys_only: value } })
      queries.setQueryData(remoteFilesQuery(serverId).queryKey, now)
    } catch (error) {
      showErrorToast(error, t('sftp.keysOnly'))
    }
  }
  return (
    <div className={classes['password']}>
      <Switch
        label={t('sftp.keysOnly')}
        description={t('sftp.keysOnlyHint')}
        checked={isOn}
        onChange={(event) => void set(event.currentTarget.checked)}
      />
      <LinkButton to={path('/account/settings/security#ssh-keys')} size="small">
        {t('sftp.keysLink')}
      </LinkButton>
    </div>
  )
}
