/** Presets that set many kinds of notification at once, so that nobody has to tick each of them. */
import type { NotificationSettings } from '@wakestone/contract/ground/notification'
import { kindSpecs } from '@wakestone/contract/ground/notification-kinds'
import {
  type NotificationChannel,
  notificationChannels,
  type NotificationGroup,
} from '@wakestone/contract/ground/notification-kinds/kind'

export type Kind = NotificationSettings['kinds'][number]
export type Choice = { kind: Kind['kind']; channel: NotificationChannel; wanted: boolean }

/** What is set together, in its order. */
export const topics = {
  account: ['security', 'account'],
  payments: ['payments'],
  services: ['services'],
  servers: ['servers', 'players'],
  support: ['support'],
  marketplace: ['marketplace'],
} as const satisfies Record<string, readonly NotificationGroup[]>
export type Topic = keyof typeof topics

/** Ways of every kind; those of `standard` are each kind's own. */
const ways = {
  standard: null,
  everywhere: notificationChannels,
  mail: ['panel', 'mail'],
  panel: ['panel'],
} as const satisfies Record<string, readonly NotificationChannel[] | null>
export type Preset = keyof typeof ways

/** What a preset says of each kind and way that can be chosen. */
export function choicesOf(kinds: readonly Kind[], preset: Preset): Choice[] {
  return kinds.flatMap(({ kind, channels }) => {
    const on: readonly NotificationChannel[] = ways[preset] ?? kindSpecs[kind].channels
    return notificationChannels
      .filter((channel) => channels[channel]?.fixed === false)
      .map((channel) => ({ kind, channel, wanted: on.includes(channel) }))
  })
}

/** Those that differ: where mail is fixed, "panel alone" would be the same as "panel and mail". */
export function presetsFor(kinds: readonly Kind[]): Preset[] {
  const seen = new Set<string>()
  return (Object.keys(ways) as Preset[]).filter((preset) => {
    const says = choicesOf(kinds, preset)
      .map(({ wanted }) => wanted)
      .join()
    return !seen.has(says) && seen.add(says)
  })
}

/** The one that is in force; undefined: kinds were chosen one by one. */
export const presetOf = (kinds: readonly Kind[]): Preset | undefined =>
  presetsFor(kinds).find((preset) =>
    choicesOf(kinds, preset).every(
      ({ kind, channel, wanted }) => kinds.find((one) => one.kind === kind)?.channels[channel]?.on === wanted,
    ),
  )

/** The settings with some choices made. */
export const withChoices = (settings: NotificationSettings, choices: readonly Choice[]): NotificationSettings => ({
  ...settings,
  kinds: settings.kinds.map((one) => ({
    ...one,
    channels: {
      ...one.channels,
      ...Object.fromEntries(
        choices
          .filter(({ kind }) => kind === one.kind)
          .map(({ channel, wanted }) => [channel, { on: wanted, fixed: false }]),
      ),
    },
  })),
})
