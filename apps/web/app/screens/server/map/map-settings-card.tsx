import { Checkbox, Switch, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { mapAreaSchema, mapLayers, mapLimits, type MapSettings } from '@wakestone/contract/servers/mapview'
import { changeMapSettings, getMapSettings, getMapState, showMap } from '@wakestone/contract/servers/mapview-routes'
import { useState } from 'react'
import { useRouteLoaderData } from 'react-router'
import { z } from 'zod'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import type { loader } from '#app/root.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { CodeBlock } from '#app/ui/code-block.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import classes from './map.module.css'

const areasSchema = z.array(mapAreaSchema).max(mapLimits.areas)
const example = '[{ "name": "Market", "points": [[-20, 40], [60, 90]], "colour": "#5fc08a" }]'

/** Who sees the map, what is drawn, and how it gets onto other pages. */
export function MapSettingsCard({ serverId, settings }: { serverId: string; settings: MapSettings }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const change = async (values: Partial<MapSettings>) => {
    setBusy(true)
    const params = { id: serverId }
    try {
      const { enabled, is_public } = settings
      await api(changeMapSettings, { params, body: { enabled, is_public, ...values } })
      await makeStale(queries, ...[getMapSettings, getMapState, showMap].map((route) => answersOf(route, params)))
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
        <Areas areas={settings.areas} busy={busy} onSave={(areas) => change({ areas })} />
      </div>
    </Card>
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

function Areas({
  areas,
  busy,
  onSave,
}: {
  areas: MapSettings['areas']
  busy: boolean
  onSave: (areas: MapSettings['areas']) => Promise<void>
}) {
  const { t } = useTranslation()
  const [text, setText] = useState(() => (areas.length === 0 ? '' : JSON.stringify(areas, null, 2)))
  const [reason, setReason] = useState<string | null>(null)
  const save = () => {
    const read = readAreas(text)
    setReason(read.reason)
    if (read.areas !== null) void onSave(read.areas)
  }
  return (
    <div className={classes['areas']}>
      <Textarea
        label={t('map.settings.areas')}
        description={t('map.settings.areasHint')}
        placeholder={example}
        autosize
        minRows={3}
        maxRows={14}
        value={text}
        error={reason === null ? undefined : t('map.settings.areasWrong', { reason })}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button size="small" disabled={busy} onClick={save}>
        {t('map.settings.save')}
      </Button>
    </div>
  )
}

function readAreas(text: string): { areas: MapSettings['areas'] | null; reason: string | null } {
  try {
    const read = areasSchema.safeParse(text.trim() === '' ? [] : JSON.parse(text))
    if (read.success) return { areas: read.data, reason: null }
    const [issue] = read.error.issues
    return { areas: null, reason: issue === undefined ? '' : [...issue.path, issue.message].join(' ') }
  } catch (error) {
    return { areas: null, reason: (error as Error).message }
  }
}
