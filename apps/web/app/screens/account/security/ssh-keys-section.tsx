import { Textarea, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createSshKeyBody, readSshKey, type SshKey } from '@wakestone/contract/accounts/ssh-key'
import { createSshKey, deleteSshKey, listSshKeys } from '@wakestone/contract/accounts/ssh-keys-routes'
import type { ApiClient } from '@wakestone/contract/client'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { AskFirst } from './ask-first.tsx'
import classes from './security.module.css'

export const sshKeysQuery = (userId: string, client: ApiClient = api) =>
  queryOf(listSshKeys, { params: { id: userId } }, { client })

/** Keys that open the files of all servers over SFTP. */
export function SshKeysSection() {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const { data, error, refetch } = useQuery(sshKeysQuery(id))
  return (
    <Card title={t('sshKeys.title')} id="ssh-keys">
      <p className={classes['text']}>{t('sshKeys.text')}</p>
      {data === undefined ? (
        error === null ? (
          <Skeleton height={64} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        data.length > 0 && (
          <ul className={classes['keys']}>
            {data.map((key) => (
              <Key key={key.id} sshKey={key} />
            ))}
          </ul>
        )
      )}
      <Add />
    </Card>
  )
}

function Key({ sshKey }: { sshKey: SshKey }) {
  const { t } = useTranslation()
  const { id: userId } = useSignedInUser()
  const queries = useQueryClient()
  const { id: keyId, name, fingerprint, created_at, last_used_at, last_used_ip } = sshKey
  const remove = async () => {
    await api(deleteSshKey, { params: { id: userId, keyId } })
    await queries.invalidateQueries(sshKeysQuery(userId))
  }
  return (
    <li>
      <div className={classes['key']}>
        <b>{name}</b>
        <p>
          <code className={classes['print']}>{fingerprint}</code>
        </p>
        <p>
          {t('security.added')} <DateTime value={created_at} />
          {' · '}
          {last_used_at === null ? (
            t('security.neverUsed')
          ) : (
            <>
              {t('account.lastUsed')} <DateTime value={last_used_at} /> · {last_used_ip}
            </>
          )}
        </p>
      </div>
      <AskFirst
        label={t('security.remove')}
        name={t('security.removeOf', { name })}
        title={t('sshKeys.removeTitle', { name })}
        text={t('sshKeys.removeText')}
        onConfirm={remove}
      />
    </li>
  )
}

function Add() {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const form = useZodForm(createSshKeyBody, { name: '', public_key: '' })
  const submit = form.submit(async (body) => {
    await api(createSshKey, { params: { id }, body })
    await queries.invalidateQueries(sshKeysQuery(id))
    form.set('name', '')
    form.set('public_key', '')
    setOpen(false)
  })
  const nameByComment = () => {
    const comment = readSshKey(form.values.public_key)?.comment ?? ''
    if (form.values.name === '' && comment !== '') form.set('name', comment.slice(0, 64))
  }
  if (!isOpen)
    return (
      <Button icon={<IconPlus size={18} aria-hidden="true" />} onClick={() => setOpen(true)}>
        {t('sshKeys.add')}
      </Button>
    )
  const key = form.field('public_key')
  return (
    <form className={classes['form']} noValidate onSubmit={submit}>
      <Textarea
        label={t('sshKeys.key')}
        description={t('sshKeys.keyHint')}
        rows={4}
        spellCheck={false}
        autoComplete="off"
        autoFocus
        {...key}
        onBlur={nameByComment}
      />
      <TextInput label={t('sshKeys.name')} maxLength={64} autoComplete="off" {...form.field('name')} />
      {form.failure !== undefined &&
        (errorBodyOf(form.failure)?.error === 'too_many_requests' ? (
          <p role="alert">{t('sshKeys.tooMany')}</p>
        ) : (
          <ErrorNote error={form.failure} />
        ))}
      <div className={classes['buttons']}>
        <Button type="submit" look="primary" loading={form.busy}>
          {t('sshKeys.add')}
        </Button>
        <Button look="quiet" onClick={() => setOpen(false)}>
          {t('common.cancel')}
        </Button>
      </div>
    </form>
  )
}
