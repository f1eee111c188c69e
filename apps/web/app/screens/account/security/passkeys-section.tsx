import { TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from '@wakestone/contract/accounts/security-routes'
import { type Passkey, renamePasskeyBody } from '@wakestone/contract/accounts/security'
import { api } from '#app/api/client.ts'
import { securityQuery } from '#app/features/session/security-query.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { browserOf } from '@wakestone/contract/browser-name'
import { AskFirst } from './ask-first.tsx'
import classes from './security.module.css'

const passkeys = () => import('#app/features/passkeys/ask.ts')

/** Passkeys of the account: several, each with a name. */
export function PasskeysSection({ onCodes }: { onCodes: (codes: readonly string[] | null) => void }) {
  const { t } = useTranslation()
  const { data } = useQuery(securityQuery())
  return (
    <Card title={t('security.passkeys')} id="passkeys">
      <p className={classes['text']}>{t('security.passkeysText')}</p>
      {data === undefined ? (
        <Skeleton height={64} />
      ) : (
        data.passkeys.length > 0 && (
          <ul className={classes['keys']}>
            {data.passkeys.map((passkey) => (
              <Key key={passkey.id} passkey={passkey} isLast={data.totp === null && data.passkeys.length === 1} />
            ))}
          </ul>
        )
      )}
      <Add onCodes={onCodes} />
    </Card>
  )
}

function Add({ onCodes }: { onCodes: (codes: readonly string[] | null) => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const form = useZodForm(renamePasskeyBody, { name: '' })
  const open = () => {
    const { browser, system } = browserOf(navigator.userAgent)
    form.set('name', [browser, system].filter(Boolean).join(' · '))
    setOpen(true)
  }
  const submit = form.submit(async ({ name }) => {
    const { makePasskey, isKnownAlready } = await passkeys()
    try {
      const response = await makePasskey(await api(beginPasskey, {}))
      if (response === undefined) return
      const { recovery_codes } = await api(addPasskey, { body: { name, response: response as never } })
      setOpen(false)
      await queries.invalidateQueries(securityQuery())
      onCodes(recovery_codes)
    } catch (error) {
      if (isKnownAlready(error)) return form.refuse('name', 'passkey_known')
      throw errorBodyOf(error) === undefined && !(error instanceof TypeError)
        ? new Error('passkey_refused', { cause: error })
        : error
    }
  })
  const { failure } = form
  if (!isOpen)
    return (
      <Button icon={<IconPlus size={18} aria-hidden="true" />} onClick={open}>
        {t('security.addPasskey')}
      </Button>
    )
  return (
    <form className={classes['form']} noValidate onSubmit={submit}>
      <div className={classes['line']}>
        <TextInput label={t('security.passkeyName')} maxLength={64} autoFocus {...form.field('name')} />
        <Button type="submit" look="primary" loading={form.busy}>
          {t('security.goOn')}
        </Button>
        <Button look="quiet" onClick={() => setOpen(false)}>
          {t('common.cancel')}
        </Button>
      </div>
      {failure !== undefined && (
        <ErrorNote error={(failure as Error).message === 'passkey_refused' ? 'passkey_refused' : failure} />
      )}
    </form>
  )
}

function Key({ passkey, isLast }: { passkey: Passkey; isLast: boolean }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [isRenaming, setRenaming] = useState(false)
  const { id: passkeyId, name } = passkey
  const remove = async () => {
    await api(removePasskey, { params: { passkeyId } })
    await queries.invalidateQueries(securityQuery())
  }
  if (isRenaming)
    return (
      <li>
        <Rename passkey={passkey} onDone={() => setRenaming(false)} />
      </li>
    )
  return (
    <li>
      <div className={classes['key']}>
        <b>{name}</b>
        <p>
          {t('security.added')} <DateTime value={passkey.created_at} />
          {' · '}
          {passkey.last_used_at === null ? (
            t('security.neverUsed')
          ) : (
            <>
              {t('account.lastUsed')} <DateTime value={passkey.last_used_at} />
            </>
          )}
          {passkey.backed_up && ` · ${t('security.backedUp')}`}
        </p>
      </div>
      <div className={classes['buttons']}>
        <Button size="small" aria-label={t('security.renameOf', { name })} onClick={() => setRenaming(true)}>
          {t('security.rename')}
        </Button>
        <AskFirst
          label={t('security.remove')}
          name={t('security.removeOf', { name })}
          title={t('security.removeTitle', { name })}
          text={t(isLast ? 'security.removeLast' : 'security.removeText')}
          onConfirm={remove}
        />
      </div>
    </li>
  )
}

function Rename({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const form = useZodForm(renamePasskeyBody, { name: passkey.name })
  const submit = form.submit(async (body) => {
    await api(renamePasskey, { params: { passkeyId: passkey.id }, body })
    await queries.invalidateQueries(securityQuery())
    onDone()
  })
  return (
    <form className={`${classes['form']} ${classes['key']}`} noValidate onSubmit={submit}>
      <div className={classes['line']}>
        <TextInput label={t('security.passkeyName')} maxLength={64} autoFocus {...form.field('name')} />
        <Button type="submit" look="primary" loading={form.busy}>
          {t('security.save')}
        </Button>
        <Button look="quiet" onClick={onDone}>
          {t('common.cancel')}
        </Button>
      </div>
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
    </form>
  )
}
