import { Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { AdminServer } from '@wakestone/contract/admin/servers'
import { hasCapability } from '@wakestone/contract/capabilities'
import { setLimitsSchema } from '@wakestone/contract/servers/parameters'
import { readJson } from '#app/features/admin/json-faults.ts'
import { useSetLimits } from '#app/features/admin/server-queries.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import classes from './admin-servers.module.css'

const write = (value: unknown) => JSON.stringify(value, null, 2)

/** The raw parameters: what the plan gives, what it runs with, and what is set beside the plan. */
export function Limits({ data: { server, limits } }: { data: AdminServer }) {
  const { t } = useTranslation()
  const user = useSignedInUser()
  const save = useSetLimits(server.id)
  const [text, setText] = useState(() => write(limits.set))
  const read = readJson(text, setLimitsSchema)
  const mayChange = hasCapability(user.user_capabilities, 'admin.server.parameters')
  const isChanged = text !== write(limits.set)
  const why = !mayChange
    ? t('adminServers.whyNotParameters')
    : 'faults' in read
      ? t('flags.whyWrong')
      : isChanged
        ? undefined
        : t('flags.whySame')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (why === undefined && 'value' in read) save.mutate(read.value)
  }
  return (
    <Card title={t('adminServers.limits')}>
      <form className={classes['form']} onSubmit={submit}>
        <p className={classes['text']}>{t('adminServers.limitsText')}</p>
        <div className={classes['raw']}>
          <section>
            <h3>{t('adminServers.ofPlan')}</h3>
            <pre tabIndex={0} aria-label={t('adminServers.ofPlan')}>
              {write(limits.plan)}
            </pre>
          </section>
          <section>
            <h3>{t('adminServers.placedWith')}</h3>
            <pre tabIndex={0} aria-label={t('adminServers.placedWith')}>
              {limits.placed === null ? '–' : write(limits.placed)}
            </pre>
          </section>
          <Textarea
            autosize
            minRows={6}
            spellCheck={false}
            autoCapitalize="none"
            classNames={{ input: classes['code'] ?? '' }}
            label={t('adminServers.setLimits')}
            description={t('adminServers.setLimitsHint')}
            readOnly={!mayChange}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={
              'faults' in read &&
              read.faults.map(({ place, reason }) => (
                <span key={place + reason} className={classes['fault']}>
                  {place !== '' && <code>{place}</code>} {reason}
                </span>
              ))
            }
          />
        </div>
        {save.error !== null && <ErrorNote error={save.error} />}
        <div className={classes['actions']}>
          <Button type="submit" look="primary" loading={save.isPending} why={why}>
            {t('flags.save')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
