/** Works a removal out: what goes, what stays without what it needs, and which folders of data there are. */
import { DomainError } from '@wakestone/contract/errors'
import type { uninstallPackagesBody } from '@wakestone/contract/servers/packages'
import { createMatcher } from '@wakestone/packager/requirements'
import type { Selector } from '@wakestone/packager/selector'
import { planRemoval } from '@wakestone/packager/solve/removal'
import type { z } from 'zod'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import { type Draft, draftOf, withPreview } from './draft.ts'
import { readSelector } from './install.ts'
import type { Inventory } from './inventory.ts'
import type { LockCause } from './repo.ts'
import type { Rules } from './rules.ts'

type Asked = Pick<z.output<typeof uninstallPackagesBody>, 'packages' | 'force'> & {
  server: ServerRow
  rules: Rules
  cause?: LockCause
}

/** @throws DomainError `resource_not_found` for what is not there, `invalid_selector` */
export function draftRemoval(inventory: Inventory, { packages, force, server, rules, cause }: Asked): Draft {
  const { ground, installed } = inventory
  const manifests = installed.map(({ Manifest: manifest }) => manifest)
  const selectors = packages.map((written): Selector => readSelector(written))
  const names = new Set<string>()
  for (const selector of selectors) {
    const isMeant = createMatcher(selector)
    const named = manifests.filter(({ name }) => name === selector.name)
    const found = (named.length > 0 ? named : manifests).filter(isMeant)
    if (found.length === 0)
      throw new DomainError('resource_not_found', {
        resource: 'package',
        name: selector.name ?? selector.provides ?? '',
      })
    for (const { name } of found) names.add(name)
  }
  const asked = new Set([
    ...ground.map(({ name }) => name),
    ...installed.flatMap(({ InstalledBySelector: by, Manifest: { name } }) => (by ? [name] : [])),
  ])
  const removal = planRemoval({ installed: [...ground, ...manifests], asked, remove: names })
  const gone = new Set(removal.uninstall_queue)
  const draft = draftOf(inventory, {
    server,
    rules,
    cause: cause ?? 'uninstall',
    packages: manifests.filter((manifest) => !gone.has(manifest)),
    entries: installed.filter(({ Manifest: manifest }) => !gone.has(manifest)),
    input: { selectors, force },
  })
  const { missing_dependants } = removal
  const isNeeded = missing_dependants.length > 0
  // What is too many already, or lies in another's place, is no reason to keep anything.
  const obstacle = isNeeded && !force ? ('needed_by_others' as const) : null
  return withPreview(draft, {
    is_possible: obstacle === null,
    obstacle,
    is_forced: isNeeded && force,
    missing_dependants,
    removed: removal.uninstall_queue.flatMap(({ name }) => draft.preview.removed.filter((one) => one.name === name)),
  })
}
