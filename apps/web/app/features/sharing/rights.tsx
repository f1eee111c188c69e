import { type Capabilities, hasCapability } from '@wakestone/contract/capabilities'
import { type CapabilityName, capabilityTextKey, serverCapabilityGroups } from '@wakestone/contract/capability-names'
import { useTranslation } from '#app/i18n/texts.tsx'
import { roleOf } from './roles.ts'
import classes from './rights.module.css'

/** Comes with every role. */
const lookingOn: CapabilityName = 'server.manage.read'
const serverNames: readonly CapabilityName[] = serverCapabilityGroups.flatMap(
  (group): readonly CapabilityName[] => group.capabilities,
)

/** What somebody holds of what can be granted on a server, without what another one brings anyway. */
export function rightsIn(held: Capabilities): CapabilityName[] {
  const names = serverNames.filter((name) => hasCapability(held, name))
  return names.filter((name) => !names.some((other) => name.startsWith(`${other}.`)))
}

/** Rights on a server, in words: what somebody was given as a usual role is named so, with what it covers. */
export function Rights({ held }: { held: Capabilities | readonly string[] }) {
  const { t } = useTranslation()
  const capabilities = Array.isArray(held)
    ? Object.fromEntries((held as readonly string[]).map((name) => [name, true]))
    : (held as Capabilities)
  const rights = rightsIn(capabilities)
  const role = roleOf(rights.filter((name) => name !== lookingOn))
  return (
    <ul className={classes['rights']}>
      {role !== null && (
        <li>
          <b>{t(`sharing.roles.${role}.name`)}</b>
        </li>
      )}
      {rights.map((name) => (
        <li key={name}>{t(`capabilities.names.${capabilityTextKey(name)}`)}</li>
      ))}
    </ul>
  )
}
