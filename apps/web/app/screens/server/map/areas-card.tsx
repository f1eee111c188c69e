import { IconMapPin, IconPencil, IconPlus, IconPolygon, IconRectangle, IconTrash } from '@tabler/icons-react'
import { Textarea } from '@mantine/core'
import { mapAreaSchema, type MapArea, mapLimits, type ShownMap } from '@wakestone/contract/servers/mapview'
import { useState } from 'react'
import { z } from 'zod'
import { useMapDimensionName } from '#app/features/servers/map/map-view.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { AreaDialog } from './area-dialog.tsx'
import classes from './map.module.css'

const areasSchema = z.array(mapAreaSchema).max(mapLimits.areas)
const example = '[{ "name": "Market", "points": [[-20, 40], [60, 90]], "colour": "#5fc08a" }]'
const icons = { marker: IconMapPin, rectangle: IconRectangle, outline: IconPolygon }

export const shapeOf = (points: readonly unknown[]) =>
  points.length === 1 ? 'marker' : points.length === 2 ? 'rectangle' : 'outline'

/** What the owner draws over the map. Each change is saved at once. */
export function AreasCard({
  areas,
  map,
  onSave,
}: {
  areas: MapArea[]
  map: ShownMap
  /** @throws what the API says */
  onSave: (areas: MapArea[]) => Promise<void>
}) {
  const { t } = useTranslation()
  const [edited, setEdited] = useState<number | 'new' | null>(null)
  const [removed, setRemoved] = useState<number | null>(null)
  const saved = (area: MapArea) =>
    onSave(edited === 'new' ? [...areas, area] : areas.map((one, index) => (index === edited ? area : one)))
  return (
    <Card
      title={t('map.areas.title')}
      beside={
        <Button
          size="small"
          icon={<IconPlus />}
          why={areas.length >= mapLimits.areas ? t('map.areas.full', { count: mapLimits.areas }) : undefined}
          onClick={() => setEdited('new')}
        >
          {t('map.areas.add')}
        </Button>
      }
    >
      <p className={classes['muted']}>{t('map.areas.hint')}</p>
      {areas.length > 0 && (
        <ul className={classes['areaList']} aria-label={t('map.areas.title')}>
          {areas.map((area, index) => (
            // They have no number of their own; their order is what tells them apart.
            // oxlint-disable-next-line react/no-array-index-key
            <AreaRow
              key={index}
              area={area}
              map={map}
              onEdit={() => setEdited(index)}
              onRemove={() => setRemoved(index)}
            />
          ))}
        </ul>
      )}
      <Advanced key={JSON.stringify(areas)} areas={areas} onSave={onSave} />
      {edited !== null && (
        <AreaDialog
          area={edited === 'new' ? null : (areas[edited] ?? null)}
          map={map}
          onClose={() => setEdited(null)}
          onSave={saved}
        />
      )}
      <ConfirmDialog
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        title={t('map.areas.removeTitle', { name: removed === null ? '' : (areas[removed]?.name ?? '') })}
        text={t('map.areas.removeText')}
        action={t('map.areas.remove')}
        onConfirm={() => onSave(areas.filter((_, index) => index !== removed))}
      />
    </Card>
  )
}

function AreaRow({
  area: { name, colour, points, dimension },
  map,
  onEdit,
  onRemove,
}: {
  area: MapArea
  map: ShownMap
  onEdit: () => void
  onRemove: () => void
}) {
  const { t } = useTranslation()
  const nameOf = useMapDimensionName(map)
  const shape = shapeOf(points)
  const Icon = icons[shape]
  const place = map.dimensions.find(({ id }) => id === dimension) ?? map.dimensions[0]
  const where = points
    .slice(0, 2)
    .map((block) => block.join(', '))
    .join(' – ')
  return (
    <li>
      <Icon size={20} style={{ color: colour }} aria-hidden />
      <div className={classes['areaWords']}>
        <strong>{name}</strong>
        <span className={classes['muted']}>
          {shape === 'outline' ? t('map.areas.corners', { count: points.length }) : t(`map.areas.shapes.${shape}`)}
          {` · ${where}${points.length > 2 ? ' …' : ''}`}
          {map.dimensions.length > 1 && place !== undefined && ` · ${nameOf(place)}`}
        </span>
      </div>
      <Button
        size="small"
        look="quiet"
        icon={<IconPencil />}
        aria-label={t('map.areas.editNamed', { name })}
        onClick={onEdit}
      >
        {t('map.areas.edit')}
      </Button>
      <Button
        size="small"
        look="quiet"
        icon={<IconTrash />}
        aria-label={t('map.areas.removeNamed', { name })}
        onClick={onRemove}
      >
        {t('map.areas.remove')}
      </Button>
    </li>
  )
}

/** All of them as a text, to bring in many or take them elsewhere. */
function Advanced({ areas, onSave }: { areas: MapArea[]; onSave: (areas: MapArea[]) => Promise<void> }) {
  const { t } = useTranslation()
  const [text, setText] = useState(() => (areas.length === 0 ? '' : JSON.stringify(areas, null, 2)))
  const [reason, setReason] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    const read = readAreas(text)
    setReason(read.reason)
    if (read.areas === null) return
    setBusy(true)
    await onSave(read.areas).catch((error: unknown) => setReason((error as Error).message))
    setBusy(false)
  }
  return (
    <details className={classes['advanced']}>
      <summary>{t('map.areas.advanced')}</summary>
      <Textarea
        label={t('map.areas.json')}
        description={t('map.areas.jsonHint')}
        placeholder={example}
        autosize
        minRows={3}
        maxRows={14}
        value={text}
        error={reason === null ? undefined : t('map.settings.areasWrong', { reason })}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button size="small" loading={busy} onClick={() => void save()}>
        {t('map.settings.save')}
      </Button>
    </details>
  )
}

function readAreas(text: string): { areas: MapArea[] | null; reason: string | null } {
  try {
    const read = areasSchema.safeParse(text.trim() === '' ? [] : JSON.parse(text))
    if (read.success) return { areas: read.data, reason: null }
    const [issue] = read.error.issues
    return { areas: null, reason: issue === undefined ? '' : [...issue.path, issue.message].join(' ') }
  } catch (error) {
    return { areas: null, reason: (error as Error).message }
  }
}
