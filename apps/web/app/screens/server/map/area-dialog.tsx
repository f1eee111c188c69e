import { ActionIcon, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { mapAreaSchema, type MapArea, mapLimits, type ShownMap } from '@wakestone/contract/servers/mapview'
import { useState } from 'react'
import { useMapDimensionName } from '#app/features/servers/map/map-view.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { reasonsOf } from '#app/ui/form-reasons.ts'
import { Modal } from '#app/ui/modal.tsx'
import { useReasonText } from '#app/ui/reason-text.ts'
import classes from './map.module.css'
import { PointPicker } from './point-picker.tsx'

const colours = ['#f5b942', '#5fc08a', '#8aa0ff', '#f2695c', '#c58af9', '#5cc8d7']

/** As typed. */
type Point = { id: number; x: string; z: string }
let pointsMade = 0
const pointOf = (x: string, z: string): Point => ({ id: ++pointsMade, x, z })
/** What is no number is none to the contract either. */
const blockOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

/** A new area or marker, or a changed one. */
export function AreaDialog({
  area,
  map,
  onClose,
  onSave,
}: {
  area: MapArea | null
  map: ShownMap
  onClose: () => void
  onSave: (area: MapArea) => Promise<void>
}) {
  const { t } = useTranslation()
  const textOf = useReasonText()
  const nameOf = useMapDimensionName(map)
  const [name, setName] = useState(area?.name ?? '')
  const [colour, setColour] = useState(area?.colour ?? colours[0]!)
  const [dimension, setDimension] = useState(area?.dimension ?? map.dimensions[0]?.id ?? '')
  const [points, setPoints] = useState<Point[]>(() =>
    area === null ? [pointOf('', '')] : area.points.map(([x, z]) => pointOf(`${x}`, `${z}`)),
  )
  const [reasons, setReasons] = useState<Record<string, string>>({})
  const [isChecked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const isWrong = (text: string) => isChecked && !mapAreaSchema.shape.points.safeParse([[blockOf(text), 0]]).success

  const save = async () => {
    const isFirst = dimension === map.dimensions[0]?.id || dimension === ''
    const body = {
      name,
      colour,
      // Where it says nothing it follows the world that is played.
      ...(!(isFirst && area?.dimension === undefined) && dimension !== '' && { dimension }),
      points: points.map(({ x, z }) => [blockOf(x), blockOf(z)]),
    }
    const parsed = mapAreaSchema.safeParse(body)
    setChecked(true)
    setFailure(undefined)
    setReasons(parsed.success ? {} : reasonsOf(mapAreaSchema, body))
    if (!parsed.success) return
    setBusy(true)
    try {
      await onSave(parsed.data)
      onClose()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const change = (id: number, part: Partial<Point>) =>
    setPoints(points.map((point) => (point.id === id ? { ...point, ...part } : point)))
  const place = map.dimensions.find(({ id }) => id === dimension)
  const drawn = points
    .map(({ x, z }): [number, number] => [blockOf(x), blockOf(z)])
    .filter((block) => block.every(Number.isInteger))
  /** Into the first point that is still empty, or into a new one. */
  const pick = (block: { x: number; z: number }) => {
    const picked = pointOf(String(block.x), String(block.z))
    const empty = points.find(({ x, z }) => x.trim() === '' && z.trim() === '')
    if (empty !== undefined) setPoints(points.map((point) => (point === empty ? picked : point)))
    else if (points.length < mapLimits.corners) setPoints([...points, picked])
  }
  const nameWrong = reasons['name'] !== undefined && (name.trim() === '' ? textOf('required') : t('map.areas.nameLong'))
  return (
    <Modal
      opened
      wide
      onClose={onClose}
      title={t(area === null ? 'map.areas.add' : 'map.areas.editNamed', { name: area?.name ?? '' })}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="primary" loading={busy} onClick={() => void save()}>
            {t('map.settings.save')}
          </Button>
        </>
      }
    >
      <div className={classes['dialog']}>
        <TextInput
          label={t('map.areas.name')}
          value={name}
          maxLength={mapLimits.nameLength}
          error={nameWrong}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {map.dimensions.length > 0 && (
          <NativeSelect
            label={t('map.areas.dimension')}
            value={dimension}
            data={map.dimensions.map((one) => ({ value: one.id, label: nameOf(one) }))}
            onChange={(event) => setDimension(event.currentTarget.value)}
          />
        )}
        <fieldset className={classes['colours']}>
          <legend>{t('map.areas.colour')}</legend>
          {colours.map((one, index) => (
            <button
              key={one}
              type="button"
              style={{ background: one }}
              aria-label={t('map.areas.colourOf', { number: index + 1 })}
              aria-pressed={one === colour}
              onClick={() => setColour(one)}
            />
          ))}
          <input
            type="color"
            value={colour}
            aria-label={t('map.areas.ownColour')}
            onChange={(event) => setColour(event.currentTarget.value)}
          />
        </fieldset>
        <fieldset className={classes['points']}>
          <legend>{t('map.areas.points')}</legend>
          <p className={classes['muted']}>{t('map.areas.pointsHint')}</p>
          {place !== undefined && (
            <PointPicker
              key={place.id}
              map={map}
              dimension={place}
              drawn={
                drawn.length === 0
                  ? null
                  : { name: name.trim() || t('map.areas.points'), colour, dimension, points: drawn }
              }
              onPick={pick}
            />
          )}
          {points.map(({ id, x, z }, index) => (
            <div key={id} className={classes['point']}>
              <TextInput
                aria-label={t('map.areas.pointX', { number: index + 1 })}
                leftSection="X"
                inputMode="numeric"
                value={x}
                error={isWrong(x)}
                onChange={(event) => change(id, { x: event.currentTarget.value })}
              />
              <TextInput
                aria-label={t('map.areas.pointZ', { number: index + 1 })}
                leftSection="Z"
                inputMode="numeric"
                value={z}
                error={isWrong(z)}
                onChange={(event) => change(id, { z: event.currentTarget.value })}
              />
              {points.length > 1 && (
                <ActionIcon
                  variant="subtle"
                  aria-label={t('map.areas.removePoint', { number: index + 1 })}
                  onClick={() => setPoints(points.filter((point) => point.id !== id))}
                >
                  <IconX size={18} aria-hidden />
                </ActionIcon>
              )}
            </div>
          ))}
          {reasons['points'] !== undefined && (
            <p className={classes['wrong']} role="alert">
              {t('map.areas.pointsWrong')}
            </p>
          )}
          <Button
            size="small"
            icon={<IconPlus />}
            why={
              points.length >= mapLimits.corners ? t('map.areas.pointsFull', { count: mapLimits.corners }) : undefined
            }
            onClick={() => setPoints([...points, pointOf('', '')])}
          >
            {t('map.areas.addPoint')}
          </Button>
        </fieldset>
        {failure !== undefined && <ErrorNote error={failure} />}
      </div>
    </Modal>
  )
}
