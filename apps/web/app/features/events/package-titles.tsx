import type { AuditEvent } from '@wakestone/contract/ground/event'
import { createContext, type ReactNode, useContext } from 'react'
import { usePackageHeads } from '#app/features/packages/use-package-heads.ts'

const TitleOf = createContext<(name: string) => string>((name) => name)

const separator = ', '
const namesIn = ({ data }: AuditEvent) => {
  const names = data['package_name']
  return typeof names === 'string' && names !== '' ? names.split(separator) : []
}

/** Events of a server, whose packages are called within as people know them. */
export function PackageTitles({
  serverId,
  events,
  children,
}: {
  serverId: string
  events: readonly AuditEvent[]
  children: ReactNode
}) {
  const { titleOf } = usePackageHeads(serverId, events.flatMap(namesIn))
  return <TitleOf value={titleOf}>{children}</TitleOf>
}

/** Packages as events name them. */
export function PackageNames({ value }: { value: string }) {
  return value.split(separator).map(useContext(TitleOf)).join(separator)
}
