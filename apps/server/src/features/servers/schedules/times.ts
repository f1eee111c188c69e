import { CronExpressionParser } from 'cron-parser'
import { DomainError } from '@wakestone/contract/errors'
import type { Schedule } from '@wakestone/contract/servers/schedules'

/**
 * The next times of a schedule, in its own time zone: what falls into an hour that is left out comes after it.
 * Empty for those that wait for an event, and for times that never come.
 * @throws DomainError `invalid_request` for what is no expression.
 */
export function nextRuns(trigger: Schedule['trigger'], after: Date, count: number): Date[] {
  if (trigger.kind !== 'cron') return []
  const runs: Date[] = []
  try {
    const times = CronExpressionParser.parse(trigger.expression, { currentDate: after, tz: trigger.time_zone })
    while (runs.length < count && times.hasNext()) runs.push(times.next().toDate())
  } catch {
    if (runs.length === 0) throw new DomainError('invalid_request', { 'trigger.expression': 'cron' })
  }
  return runs
}
