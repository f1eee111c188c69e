import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { UserCapabilitySets } from '@wakestone/contract/admin/capability-set'
import { capabilitySetsQuery, useGiveSet, useTakeSet } from '#app/features/admin/capability-sets.ts'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { kindOf } from '#app/features/capabilities/capability-draft.ts'
import values from '#app/features/capabilities/capability-values.module.css'
import classes from './capabilities.module.css'

/** The sets a user has, and what they give that was not granted to the account itself. */
export function UserSets({
  user,
  held: { granted, sets },
}: {
  user: { id: string; email: string }
  held: UserCapabilitySets
}) {
  const { t } = useTranslation()
  const path = usePath()
  const take = useTakeSet()
  const seen = new Set(Object.keys(granted))
  const given = sets.flatMap(({ name: set, capabilities }) =>
    Object.entries(capabilities)
      .filter(([name]) => !seen.has(name) && seen.add(name))
      .map(([name, value]) => ({ name, value, set })),
  )
  return (
    <Card title={t('capabilitySets.ofUser')}>
      <p className={classes['text']}>{t(sets.length === 0 ? 'capabilitySets.none' : 'capabilitySets.ofUserText')}</p>
      <ul className={values['list']}>
        {sets.map(({ id, name, description }) => (
          <li key={id}>
            <div className={values['name']}>
              <Link to={path(`/admin/capability-sets?set=${id}`)}>{name}</Link>
              <span>{description}</span>
            </div>
            <Button
              size="small"
              aria-label={t('capabilitySets.takeSet', { name })}
              loading={take.isPending && take.variables.id === id}
              onClick={() => take.mutate({ id, userId: user.id })}
            >
              {t('capabilitySets.take')}
            </Button>
          </li>
        ))}
      </ul>
      {take.error !== null && <ErrorNote error={take.error} />}
      {given.length > 0 && (
        <>
          <h3 className={classes['heading']}>{t('capabilitySets.fromSets')}</h3>
          <ul className={values['list']}>
            {given.map(({ name, value, set }) => (
              <li key={name}>
                <div className={values['name']}>
                  <code>{name}</code>
                  <span>{t('capabilitySets.fromSet', { name: set })}</span>
                </div>
                <span>{typeof value === 'boolean' ? t(`admin.valueKinds.${kindOf(value)}`) : value}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <GiveSet user={user.email} held={sets.map(({ id }) => id)} />
    </Card>
  )
}

function GiveSet({ user, held }: { user: string; held: readonly string[] }) {
  const { t } = useTranslation()
  const path = usePath()
  const { data: sets } = useQuery(capabilitySetsQuery())
  const give = useGiveSet()
  const [wanted, setWanted] = useState('')
  const open = sets?.filter(({ id }) => !held.includes(id)) ?? []
  const id = open.find((set) => set.id === wanted)?.id ?? open[0]?.id
  if (sets?.length === 0)
    return (
      <p className={classes['text']}>
        <Trans
          i18nKey="capabilitySets.noneSaved"
          components={{ a: <Link to={path('/admin/capability-sets?set=new')} /> }}
        />
      </p>
    )
  if (id === undefined) return null
  return (
    <div className={values['add']}>
      <NativeSelect
        className={values['field'] ?? ''}
        label={t('capabilitySets.choose')}
        value={id}
        data={open.map((set) => ({ value: set.id, label: set.name }))}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <Button loading={give.isPending} onClick={() => give.mutate({ id, user })}>
        {t('capabilitySets.giveSet')}
      </Button>
      {give.error !== null && <ErrorNote error={give.error} />}
    </div>
  )
}
