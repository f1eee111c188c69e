/** What differs from what things of ours are called on an engine, by the rules of Kubernetes for names and labels. */
import { randomBytes } from 'node:crypto'
import { createNames, gameUserOf, label } from '../docker/names.ts'

export { gameUserOf, label }
export const more = {
  /** Of a Pod: `none`, or `host` where it reaches everything. */
  network: 'wakestone.network',
  /** Of a StatefulSet: with what its supervisor ended. */
  ended: 'wakestone.ended',
}
export type Names = ReturnType<typeof nameThings>

/** @param installation tells installations apart: what they sign tokens with */
export function nameThings(of: { installation: string; clusterId: string }) {
  const names = createNames(of)
  return {
    ...names,
    pod: (serverId: string) => `${names.server(serverId)}-0`,
    /** Jobs have short names; whose they are stands in their labels. */
    task: (name: string) => `wakestone-task-${name}-${randomBytes(4).toString('hex')}`,
    files: (serverId: string) => names.box(serverId, 'files'),
    /** Of the rules for all, and for those that have something in common. */
    policy: (name: string) => `wakestone-${names.mark}-${name}`,
    /** Those that match are ours, and of a role. */
    selector: (wanted: Record<string, string> = {}) =>
      Object.entries({ [label.cluster]: names.mark, ...wanted })
        .map(([key, value]) => `${key}=${value}`)
        .join(','),
  }
}
