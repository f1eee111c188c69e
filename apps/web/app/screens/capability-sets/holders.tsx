import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { CapabilitySet } from '@wakestone/contract/admin/capability-set'
import { setHoldersQuery, useGiveSet, useTakeSet } from '#app/features/admin/capability-sets.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import classes from './capability-sets.module.css'

/** Who has a set: given by name or address, taken with one click. */
export function Holders({ set }: { set: CapabilitySet }) {
  const { t } = useTranslation()
  const path = usePath()
  const { data: holders, error, refetch } = useQuery(setHoldersQuery(set.id))
  const take = useTakeSet()
  return (
    <Card title={t('capabilitySets.holders')}>
      {holders === undefined ? (
        error === null ? (
          <Skeleton height={60} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <ul className={classes['holders']}>
          {holders.length === 0 && <li className={classes['muted']}>{t('capabilitySets.nobody')}</li>}
          {holders.map(({ id, username, given_at }) => (
            <li key={id}>
              <div className={classes['name']}>
                <Link to={path(`/user/${id}?tab=capabilities`)}>{username}</Link>
                <span>
                  <DateTime value={given_at} />
                </span>
              </div>
              <Button
                size="small"
                aria-label={t('capabilitySets.takeFrom', { name: username })}
                loading={take.isPending && take.variables.userId === id}
                onClick={() => take.mutate({ id: set.id, userId: id })}
              >
                {t('capabilitySets.take')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {take.error !== null && <ErrorNote error={take.error} />}
      <GiveForm setId={set.id} />
    </Card>
  )
}

function GiveForm({ setId }: { setId: string }) {
  const { t } = useTranslation()
  const [user, setUser] = useState('')
  const give = useGiveSet()
  return (
    <>
      <form
        className={classes['give']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          give.mutate({ id: setId, user: user.trim() }, { onSuccess: () => setUser('') })
        }}
      >
        <TextInput
          label={t('capabilitySets.user')}
          value={user}
          maxLength={254}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setUser(event.currentTarget.value)}
        />
        <Button
          type="submit"
          loading={give.isPending}
          why={user.trim() === '' ? t('capabilitySets.whyEmpty') : undefined}
        >
          {t('capabilitySets.give')}
        </Button>
      </form>
      {give.error !== null && <ErrorNote error={give.error} />}
    </>
  )
}
