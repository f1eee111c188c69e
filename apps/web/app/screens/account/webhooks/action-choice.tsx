import { Checkbox, NativeSelect } from '@mantine/core'
import { useId, useState } from 'react'
import type { AuditAction } from '@wakestone/contract/ground/event'
import { actionsOf } from '#app/features/events/event-queries.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import own from './webhooks.module.css'

/** What most programs want to hear of. */
const usual: readonly AuditAction[] = ['GAME_STARTED', 'GAME_STOPPED', 'GAME_CRASHED']

/** Everything, or what is ticked. */
export function ActionChoice({
  chosen,
  isOperator,
  onChange,
}: {
  chosen: readonly AuditAction[]
  isOperator: boolean
  onChange: (actions: AuditAction[]) => void
}) {
  const { t, i18n } = useTranslation()
  const { user_capabilities: viewer } = useSignedInUser()
  const groups = [
    { name: 'servers', actions: actionsOf('server', viewer) },
    { name: 'account', actions: actionsOf('user', viewer) },
  ] as const
  const id = useId()
  const [isSome, setSome] = useState(false)
  const byName = new Intl.Collator(i18n.language)
  const some = isSome || chosen.length > 0
  const decide = (next: 'all' | 'some') => {
    setSome(next === 'some')
    onChange(next === 'some' ? [...usual] : [])
  }
  return (
    <div className={own['choice']}>
      <NativeSelect
        label={t('webhooks.actions')}
        value={some ? 'some' : 'all'}
        data={[
          { value: 'all', label: t(isOperator ? 'webhooks.everythingOfAll' : 'webhooks.everything') },
          { value: 'some', label: t('webhooks.some', { count: chosen.length }) },
        ]}
        onChange={(event) => decide(event.currentTarget.value === 'some' ? 'some' : 'all')}
      />
      {some &&
        groups.map(({ name, actions }) => (
          <details key={name} open={name === 'servers'} className={own['group']}>
            <summary id={`${id}-${name}`}>{t(`webhooks.groups.${name}`)}</summary>
            <Checkbox.Group
              aria-labelledby={`${id}-${name}`}
              value={[...chosen]}
              onChange={(next) => onChange(next as AuditAction[])}
              className={own['actions']}
            >
              {actions
                .map((action) => ({ action, label: t(`events.actions.${action}`) }))
                .toSorted((left, right) => byName.compare(left.label, right.label))
                .map(({ action, label }) => (
                  <Checkbox key={action} value={action} label={label} />
                ))}
            </Checkbox.Group>
          </details>
        ))}
    </div>
  )
}
