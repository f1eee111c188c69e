import { Checkbox, Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { mapLayers, type MapSettings, type ShownMap } from '@wakestone/contract/servers/mapview'
import { changeMapSettings, getMapSettings, getMapState, showMap } from '@wakestone/contract/servers/mapview-routes'
import { useState } from 'react'
import { useRouteLoaderData } from 'react-router'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import type { loader } from '#app/root.tsx'
import { Card } from '#app/ui/card.tsx'
import { CodeBlock } from '#app/ui/code-block.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { AreasCard } from './areas-card.tsx'
import classes from './map.module.css'

/** What is drawn over the map, who sees it, what is drawn, and how it gets onto other pages. */
export function MapSettingsCards({
  serverId,
  settings,
  map,
}: {
  serverId: string
  settings: MapSettings
  map: ShownMap
}) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const save = async (values: Partial<MapSettings>) => {
    const params = { id: serverId }
    const { enabled, is_public } = settings
    await api(changeMapSettings, { params, body: { enabled, is_public, ...values } })
    await makeStale(queries, ...[getMapSettings, getMapState, showMap].map((route) => answersOf(route, params)))
  }
  const change = async (values: Partial<MapSettings>) => {
    setBusy(true)
    try {
      await save(values)
    } catch (failure) {
      showErrorToast(failure)
    } finally {
      setBusy(false)
    }
  }
  const toggle = (name: 'enabled' | 'is_public' | 'shows_players', label: string, description: string) => (
    <Switch
      label={label}
      description={description}
      checked={settings[name]}
      disabled={busy}
      onChange={(event) => void change({ [name]: event.currentTarget.checked })}
    />
  )
  return (
    <>
      <AreasCard areas={settings.areas} map={map} onSave={(areas) => save({ areas })} />
      <Card title={t('map.settings.title')}>
        <div className={classes['form']}>
          {toggle('enabled', t('map.settings.enabled'), t('map.settings.enabledHint'))}
          {toggle('is_public', t('map.settings.public'), t('map.settings.publicHint'))}
          {settings.is_public && <Links serverId={serverId} />}
          {toggle('shows_players', t('map.settings.players'), t('map.settings.playersHint'))}
          <Checkbox.Group
            label={t('map.settings.layers')}
            description={t('map.settings.layersHint')}
            value={settings.layers}
            onChange={(values) => {
              const layers = mapLayers.filter((layer) => values.includes(layer))
              if (layers.length > 0) void change({ layers })
            }}
          >
            {mapLayers.map((layer) => (
              <Checkbox
                key={layer}
                value={layer}
                mt={8}
                label={t(`map.layers.${layer}`)}
                disabled={busy || (settings.layers.length === 1 && settings.layers.includes(layer))}
              />
            ))}
          </Checkbox.Group>
        </div>
      </Card>
    </>
  )
}

function Links({ serverId }: { serverId: string }) {
  const { t } = useTranslation()
  const path = usePath()
  const origin = useRouteLoaderData<typeof loader>('root')?.origin ?? ''
  const address = `${origin}${path(`/mapview/${serverId}`)}`
  const frame = `<iframe src="${address}?widget" width="640" height="480" loading="lazy" style="border:0"></iframe>`
  return (
    <div className={classes['codes']}>
      <CodeBlock name={t('map.settings.link')} text={address} />
      <CodeBlock name={t('map.settings.widget')} text={frame} />
    </div>
  )
}
