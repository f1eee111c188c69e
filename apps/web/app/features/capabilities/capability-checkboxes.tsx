import { Checkbox } from '@mantine/core'
import {
  type CapabilityName,
  capabilityTextKey,
  type serverCapabilityGroups,
  type userCapabilityGroups,
} from '@wakestone/contract/capability-names'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './capability-checkboxes.module.css'

type GroupName = (typeof serverCapabilityGroups | typeof userCapabilityGroups)[number]['name']
type Props = {
  groups: readonly { readonly name: GroupName; readonly capabilities: readonly CapabilityName[] }[]
  chosen: readonly CapabilityName[]
  /** What comes in any case: ticked, and cannot be taken out. */
  always?: readonly CapabilityName[]
  /** What one covers, in a line. */
  hintOf?: (name: CapabilityName) => string | undefined
  onChange: (chosen: CapabilityName[]) => void
}

/** Capabilities to choose from, by group. What a chosen one brings with it is ticked too, and cannot be taken out. */
export function CapabilityCheckboxes({ groups, chosen, always = [], hintOf, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <div className={classes['groups']}>
      {groups.map(({ name: group, capabilities }) => (
        <fieldset key={group} className={classes['group']}>
          <legend>{t(`capabilities.groups.${group}`)}</legend>
          {capabilities.map((name) => {
            const isBrought = always.includes(name) || chosen.some((other) => name.startsWith(`${other}.`))
            return (
              <Checkbox
                key={name}
                label={t(`capabilities.names.${capabilityTextKey(name)}`)}
                description={hintOf?.(name)}
                checked={isBrought || chosen.includes(name)}
                disabled={isBrought}
                onChange={({ currentTarget: { checked } }) =>
                  onChange(checked ? [...chosen, name] : chosen.filter((other) => other !== name))
                }
              />
            )
          })}
        </fieldset>
      ))}
    </div>
  )
}
