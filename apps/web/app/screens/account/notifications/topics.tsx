import { useQueryClient } from '@tanstack/react-query'
import type { NotificationSettings } from '@wakestone/contract/ground/notification'
import { type NotificationChannel, notificationChannels } from '@wakestone/contract/ground/notification-kinds/kind'
import { setNotificationChoices } from '@wakestone/contract/ground/notifications-routes'
import { api } from '#app/api/client.ts'
import { makeStale } from '#app/api/query-of.ts'
import { notificationSettingsQuery } from '#app/features/notifications/queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import classes from './notification-settings.module.css'
import {
  type Choice,
  choicesOf,
  type Kind,
  type Preset,
  presetOf,
  presetsFor,
  type Topic,
  topics,
  withChoices,
} from './presets.ts'

const order = Object.keys(topics) as Topic[]

/** What goes where: a choice for each topic, and below it, for those who want it, one for each kind and way. */
export function Topics({ settings, userId }: { settings: NotificationSettings; userId: string }) {
  const queries = useQueryClient()
  const shown = notificationSettingsQuery(userId)
  const choose = async (choices: readonly Choice[]) => {
    queries.setQueryData(shown.queryKey, (now) => (now === undefined ? now : withChoices(now, choices)))
    try {
      await api(setNotificationChoices, { params: { userId }, body: { choices: [...choices] } })
    } catch (failure) {
      showErrorToast(failure)
      await makeStale(queries, shown)
    }
  }
  return (
    <ul className={classes['topics']}>
      {order.map((topic) => {
        const groups: readonly string[] = topics[topic]
        const kinds = settings.kinds.filter(({ group }) => groups.includes(group))
        return kinds.length === 0 ? null : <TopicRow key={topic} topic={topic} kinds={kinds} onChoose={choose} />
      })}
    </ul>
  )
}

/** Some mails come whatever is chosen; where there are none, those of the panel are all. */
const nameOf = (preset: Preset, kinds: readonly Kind[]) =>
  preset === 'panel' && kinds.some(({ channels }) => channels.mail?.fixed === true) ? 'least' : preset

function TopicRow({
  topic,
  kinds,
  onChoose,
}: {
  topic: Topic
  kinds: readonly Kind[]
  onChoose: (choices: readonly Choice[]) => Promise<void>
}) {
  const { t } = useTranslation()
  const name = t(`notifications.topics.${topic}`)
  const preset = presetOf(kinds)
  return (
    <li>
      <div className={classes['topic']}>
        <div>
          <h3>{name}</h3>
          <p>{t(`notifications.topicsText.${topic}`)}</p>
        </div>
        <Segmented
          even
          label={name}
          value={preset ?? 'own'}
          options={[
            ...presetsFor(kinds).map((value) => ({ value, label: t(`notifications.presets.${nameOf(value, kinds)}`) })),
            ...(preset === undefined ? [{ value: 'own' as const, label: t('notifications.presets.own') }] : []),
          ]}
          onChange={(value) => value !== 'own' && void onChoose(choicesOf(kinds, value))}
        />
      </div>
      <details className={classes['each']}>
        <summary>{t('notifications.oneByOne')}</summary>
        <Matrix name={name} kinds={kinds} onChoose={(choice) => void onChoose([choice])} />
      </details>
    </li>
  )
}

function Matrix({
  name,
  kinds,
  onChoose,
}: {
  name: string
  kinds: readonly Kind[]
  onChoose: (choice: Choice) => void
}) {
  const { t } = useTranslation()
  return (
    <table className={classes['matrix']} aria-label={name}>
      <thead>
        <tr>
          <th scope="col">{t('notifications.what')}</th>
          {notificationChannels.map((channel) => (
            <th key={channel} scope="col">
              {t(`notificationChannels.${channel}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {kinds.map((kind) => (
          <tr key={kind.kind}>
            <th scope="row">{t(`notificationKinds.${kind.kind}`)}</th>
            {notificationChannels.map((channel) => (
              <td key={channel}>
                <Box
                  kind={kind}
                  channel={channel}
                  onChange={(wanted) => onChoose({ kind: kind.kind, channel, wanted })}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Box({
  kind,
  channel,
  onChange,
}: {
  kind: Kind
  channel: NotificationChannel
  onChange: (wanted: boolean) => void
}) {
  const { t } = useTranslation()
  const { on, fixed } = kind.channels[channel] ?? { on: false, fixed: true }
  const name = `${t(`notificationKinds.${kind.kind}`)}: ${t(`notificationChannels.${channel}`)}`
  return (
    <input
      type="checkbox"
      checked={on}
      disabled={fixed}
      title={fixed ? t('notifications.fixed') : undefined}
      aria-label={fixed ? `${name}. ${t('notifications.fixed')}` : name}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
