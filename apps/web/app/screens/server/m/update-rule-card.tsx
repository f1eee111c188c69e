import { Checkbox, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { type PackageUpdateRule, updateModes } from '@wakestone/contract/servers/packages'
import { changePackageUpdateRule } from '@wakestone/contract/servers/packages-routes'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useTimeZone } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import classes from './packages.module.css'
import { usePackages } from './use-packages.ts'

const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** Whether newer releases are looked for, and between which hours they are taken. */
export function UpdateRuleCard({ rule: known }: { rule: PackageUpdateRule }) {
  const { t } = useTranslation()
  const zone = useTimeZone()
  const { server, begun } = usePackages()
  const [rule, setRule] = useState(known)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const change = (part: Partial<PackageUpdateRule>) => setRule((before) => ({ ...before, ...part }))
  const save = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await api(changePackageUpdateRule, { params: { id: server.id }, body: rule })
      await begun()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const hourOptions = hours.map((hour) => ({ value: String(hour), label: t('packages.rule.hour', { hour }) }))
  return (
    <Card title={t('packages.rule.title')}>
      <div className={classes['plan']}>
        <NativeSelect
          label={t('packages.rule.mode')}
          value={rule.mode}
          data={updateModes.map((mode) => ({ value: mode, label: t(`packages.rule.modes.${mode}`) }))}
          onChange={(event) =>
            // Hours are those of whoever chooses them.
            change({ mode: event.currentTarget.value as PackageUpdateRule['mode'], time_zone: zone })
          }
        />
        {rule.mode === 'take' && (
          <>
            <div className={classes['choice']}>
              <NativeSelect
                label={t('packages.rule.from')}
                value={String(rule.from_hour)}
                data={hourOptions}
                onChange={(event) => change({ from_hour: Number(event.currentTarget.value), time_zone: zone })}
              />
              <NativeSelect
                label={t('packages.rule.to')}
                value={String(rule.to_hour)}
                data={hourOptions}
                onChange={(event) => change({ to_hour: Number(event.currentTarget.value), time_zone: zone })}
              />
            </div>
            <p className={classes['muted']}>{t('packages.rule.zone', { zone: rule.time_zone })}</p>
            <Checkbox
              label={t('packages.rule.onlyEmpty')}
              checked={rule.only_empty}
              onChange={(event) => change({ only_empty: event.currentTarget.checked })}
            />
          </>
        )}
        {failure !== undefined && <ErrorNote error={failure} />}
        <div className={classes['actions']}>
          <Button
            loading={busy}
            why={JSON.stringify(rule) === JSON.stringify(known) ? t('packages.rule.saved') : undefined}
            onClick={() => void save()}
          >
            {t('packages.rule.save')}
          </Button>
        </div>
      </div>
    </Card>
  )
}
