import type { MapState } from '@wakestone/contract/servers/mapview'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useServerPage } from '../use-server-page.ts'
import classes from './map.module.css'

/** When the map was drawn, when it is drawn next, and how much room it takes. */
export function MapStateCard({ state }: { state: MapState }) {
  const { t } = useTranslation()
  const format = useFormat()
  const user = useSignedInUser()
  const { server, identity } = useServerPage()
  const { drawn_at, next_at, next_by_hand_at, stored_bytes, damaged_chunks } = state
  const rows = [
    { key: t('map.state.drawn'), value: drawn_at === null ? t('map.state.never') : format.dateTime(drawn_at) },
    { key: t('map.state.next'), value: next_at === null ? t('map.state.notPlanned') : format.dateTime(next_at) },
    {
      key: t('map.state.byHand'),
      value:
        next_by_hand_at === null ? t('map.state.now') : t('map.state.from', { time: format.dateTime(next_by_hand_at) }),
    },
    ...(stored_bytes === 0 ? [] : [{ key: t('map.state.size'), value: format.bytes(stored_bytes) }]),
    ...(damaged_chunks === 0
      ? []
      : [{ key: t('map.state.damaged'), value: t('map.state.damagedText', { count: damaged_chunks }) }]),
  ]
  const canBuy = next_at === null && server.owner_id === user.id
  return (
    <Card title={t('map.state.title')}>
      <KeyValueList rows={rows} />
      {canBuy && (
        <p className={classes['addOn']}>
          <LinkButton size="small" to={`/s/${identity}/payments/upgrade`}>
            {t('map.state.addOn')}
          </LinkButton>
        </p>
      )}
    </Card>
  )
}
