/** Times that most people want. Everything else is written by hand, as cron. */
export const everies = ['quarter', 'hourly', 'daily', 'weekly'] as const

/** Monday first, as cron counts them. */
export const weekdays = [1, 2, 3, 4, 5, 6, 0] as const

export type Rhythm = {
  every: (typeof everies)[number]
  /** `HH:mm`; empty while nothing is typed. Counts for days and weeks only, as `day` does for weeks. */
  time: string
  day: (typeof weekdays)[number]
}

const first: Omit<Rhythm, 'every'> = { time: '04:00', day: 1 }

/** Empty, and so refused, while the time is missing. */
export function expressionOf({ every, time, day }: Rhythm): string {
  if (every === 'quarter') return '*/15 * * * *'
  if (every === 'hourly') return '0 * * * *'
  const [hour, minute] = time.split(':').map(Number)
  if (hour === undefined || minute === undefined) return ''
  return `${minute} ${hour} * * ${every === 'weekly' ? day : '*'}`
}

/** Undefined for times that have to be written by hand. */
export function rhythmOf(expression: string): Rhythm | undefined {
  const fixed = (['quarter', 'hourly'] as const).find((every) => expressionOf({ ...first, every }) === expression)
  if (fixed !== undefined) return { ...first, every: fixed }
  const [, minute, hour, day] = /^(\d{1,2}) (\d{1,2}) \* \* ([0-7*])$/.exec(expression) ?? []
  if (minute === undefined || hour === undefined || Number(minute) > 59 || Number(hour) > 23) return undefined
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (day === '*') return { ...first, every: 'daily', time }
  // Sunday may be written as 7.
  return { every: 'weekly', time, day: weekdays.find((one) => one === Number(day) % 7) ?? first.day }
}

/** `04:05` → `4:05`, as it is said. */
export const spokenTime = (time: string): string => time.replace(/^0/, '')
