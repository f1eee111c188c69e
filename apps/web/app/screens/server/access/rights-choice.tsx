import { type CapabilityName, capabilityTextKey } from '@wakestone/contract/capability-names'
import { type GrantableCapability, sharingGroups } from '@wakestone/contract/accounts/sharing'
import { useId } from 'react'
import { CapabilityCheckboxes } from '#app/features/capabilities/capability-checkboxes.tsx'
import { type Role, roleOf, roles } from '#app/features/sharing/roles.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './access.module.css'

const always: readonly CapabilityName[] = ['server.manage.read']

/** What may be granted: a usual role, and beneath it each right with what it covers. Looking on comes with all of it. */
export function RightsChoice({
  grantable,
  chosen,
  onChange,
}: {
  grantable: readonly string[]
  chosen: readonly CapabilityName[]
  onChange: (names: GrantableCapability[]) => void
}) {
  const { t } = useTranslation()
  const name = useId()
  const role = roleOf(chosen)
  const offered = (Object.keys(roles) as Role[]).filter((one) => roles[one].every((right) => grantable.includes(right)))
  const groups = sharingGroups
    .map((group) => ({
      ...group,
      capabilities: group.capabilities.filter((right) => always.includes(right) || grantable.includes(right)),
    }))
    .filter(({ capabilities }) => capabilities.length > 0)
  return (
    <>
      <fieldset className={classes['roles']}>
        <legend>{t('sharing.role')}</legend>
        {offered.map((one) => (
          <label key={one} className={classes['role']}>
            <input type="radio" name={name} checked={role === one} onChange={() => onChange([...roles[one]])} />
            <span>
              <b>{t(`sharing.roles.${one}.name`)}</b>
              <small>{t(`sharing.roles.${one}.text`)}</small>
            </span>
          </label>
        ))}
        <p className={classes['hint']} aria-live="polite">
          {role === null ? t('sharing.ownRole') : t('sharing.rolesTick')}
        </p>
      </fieldset>
      <CapabilityCheckboxes
        groups={groups}
        chosen={chosen}
        always={always}
        hintOf={(right) =>
          right.startsWith('server.')
            ? t(`sharing.covers.${capabilityTextKey(right as GrantableCapability)}`)
            : undefined
        }
        onChange={(names) => onChange(names as GrantableCapability[])}
      />
      <p className={classes['hint']}>{t('sharing.ownerKeeps')}</p>
    </>
  )
}
