/** Schedules of panels as schedules here. */
import { scheduleBody } from '@wakestone/contract/servers/schedules'
import type { z } from 'zod'
import type { FoundSchedule } from './model.ts'

type Body = z.output<typeof scheduleBody>
type Step = z.input<typeof scheduleBody>['steps'][number]

const longestWait = 3600

/** @returns what it becomes, or why it is left out */
export function convertSchedule(schedule: FoundSchedule, timeZone: string): Body | { reason: string } {
  const steps = schedule.tasks.flatMap((task) => {
    const step = convertTask(task)
    const wait: Step[] =
      task.waitSeconds > 0 ? [{ kind: 'wait', seconds: Math.min(longestWait, task.waitSeconds) }] : []
    return step === undefined ? [undefined] : [...wait, step]
  })
  const known = steps.filter((step) => step !== undefined)
  if (known.length < steps.length) return { reason: 'it does what schedules here do not' }
  const starts = known.some((step) => step.kind === 'power' && step.action !== 'stop')
  const read = scheduleBody.safeParse({
    name: schedule.name.slice(0, 60),
    // What came by an import starts nothing by itself: its owner switches it on.
    enabled: schedule.isActive && !starts,
    trigger: { kind: 'cron', expression: schedule.cron, time_zone: timeZone },
    conditions: schedule.onlyWhenOnline ? ['running'] : [],
    steps: known,
  })
  return read.success
    ? read.data
    : { reason: `its ${read.error.issues[0]?.path[0]?.toString() ?? 'body'} is none that schedules here can have` }
}

function convertTask({ action, payload }: FoundSchedule['tasks'][number]): Step | undefined {
  switch (action) {
    case 'command':
      return { kind: 'command', command: payload }
    case 'backup':
      return { kind: 'backup', name: null }
    case 'power':
      return payload === 'start' || payload === 'stop' || payload === 'restart'
        ? { kind: 'power', action: payload }
        : undefined
    default:
      return undefined
  }
}
