/** What people of a server may do, from a panel's permissions to capabilities here. */
import type { GrantableCapability } from '@wakestone/contract/accounts/sharing'

type Rule = { needs: readonly string[]; gives: GrantableCapability }

const power = ['control.start', 'control.stop', 'control.restart']
const files = ['file.create', 'file.read', 'file.read-content', 'file.update', 'file.delete']
const backups = ['backup.create', 'backup.read', 'backup.delete', 'backup.download', 'backup.restore']
const schedules = ['schedule.create', 'schedule.read', 'schedule.update', 'schedule.delete']

/** Each is given to who holds all that it lets them do here, so that nobody gains by moving. */
const rules: readonly Rule[] = [
  { needs: ['websocket.connect'], gives: 'server.manage.read' },
  { needs: ['websocket.connect', ...power], gives: 'server.manage.power' },
  { needs: ['websocket.connect', 'control.console'], gives: 'server.manage.console' },
  {
    needs: ['websocket.connect', 'allocation.read', 'allocation.create', 'allocation.update', 'allocation.delete'],
    gives: 'server.manage.ports',
  },
  {
    needs: ['websocket.connect', 'control.console', ...power, ...files, ...backups, ...schedules, 'settings.rename'],
    gives: 'server.manage',
  },
]

export function capabilitiesFor(permissions: readonly string[]): GrantableCapability[] {
  const held = new Set(permissions)
  const isAll = held.has('*')
  return rules.filter(({ needs }) => isAll || needs.every((name) => held.has(name))).map(({ gives }) => gives)
}
