import { Select } from '@mantine/core'
import { pathOf } from '@wakestone/contract/client'
import type { ScanLine, World } from '@wakestone/contract/servers/worlds'
import { pruneWorld, scanWorld } from '@wakestone/contract/servers/worlds-routes'
import { useEffect, useRef, useState } from 'react'
import { api } from '#app/api/client.ts'
import { useDimensionName } from '#app/features/servers/dimension-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { OperationProgress } from '#app/ui/operation-progress.tsx'
import { readLines } from '#app/api/read-lines.ts'
import { PruneMap, type PrunedRegion } from './prune-map.tsx'
import { useStop } from './use-stop.tsx'
import { useBegin, useWorlds } from './use-worlds.ts'
import classes from './worlds.module.css'

const everywhere = '*'
/** Seconds; zero is offered too: chunks that were only flown over from afar. */
const times = [0, 10, 30, 60, 300, 900, 3600] as const

type Count = { line: ScanLine | null; isWhole: boolean; regions: readonly PrunedRegion[] }

/** Chunks where hardly anybody was: counted first, then removed. */
export function PruneDialog({ world, onClose }: { world: World; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { server } = useWorlds()
  const dimensionName = useDimensionName()
  const [dimension, setDimension] = useState(everywhere)
  const [seconds, setSeconds] = useState<number>(30)
  const [count, setCount] = useState<Count | null>(null)
  const [countFailure, setCountFailure] = useState<unknown>(undefined)
  const counting = useRef<AbortController>(null)
  const { begin, busy, failure } = useBegin(onClose)
  const { note, in_seconds } = useStop(world.is_active || world.in_use)
  useEffect(() => () => counting.current?.abort(), [])

  const forget = () => {
    counting.current?.abort()
    setCount(null)
    setCountFailure(undefined)
  }
  const look = async () => {
    forget()
    const abort = new AbortController()
    counting.current = abort
    const regions: PrunedRegion[] = []
    setCount({ line: null, isWhole: false, regions })
    const query = { world: world.folder, seconds: String(seconds), ...(dimension !== everywhere && { dimension }) }
    try {
      let last: ScanLine | null = null
      const path = pathOf(scanWorld, { params: { id: server.id }, query } as never)
      for await (const lines of readLines<ScanLine>(path, abort.signal)) {
        last = lines.at(-1) ?? last
        for (const [, , , , , , region] of lines) if (region !== null) regions.push(region)
        setCount({ line: last, isWhole: false, regions })
      }
      setCount({ line: last, isWhole: true, regions })
    } catch (error) {
      if (abort.signal.aborted) return
      setCount(null)
      setCountFailure(error)
    }
  }
  const unused = count?.isWhole === true ? (count.line?.[3] ?? 0) : null
  return (
    <Modal opened onClose={onClose} title={t('worlds.pruneTitle', { name: world.name })}>
      <DialogForm
        onSubmit={(event) => {
          event.preventDefault()
          if (unused === null || unused === 0) return
          const where = dimension === everywhere ? null : dimension
          const body = { world: world.folder, dimension: where, seconds, in_seconds }
          void begin(() => api(pruneWorld, { params: { id: server.id }, body }))
        }}
        onCancel={onClose}
        action={t('worlds.pruneBegin')}
        look="danger"
        busy={busy}
        failure={failure ?? countFailure}
        why={unused === null ? t('worlds.pruneFirst') : unused === 0 ? t('worlds.pruneNothing') : undefined}
      >
        <p>{t('worlds.pruneText')}</p>
        {note}
        <Select
          label={t('worlds.pruneWhere')}
          value={dimension}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          data={[
            { value: everywhere, label: t('worlds.pruneEverywhere') },
            ...world.dimensions.map(({ name }) => ({ value: name, label: dimensionName(name) })),
          ]}
          onChange={(value) => {
            forget()
            setDimension(value ?? everywhere)
          }}
        />
        <Select
          label={t('worlds.pruneTime')}
          value={String(seconds)}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          data={times.map((time) => ({ value: String(time), label: format.duration(time) }))}
          onChange={(value) => {
            forget()
            setSeconds(Number(value ?? seconds))
          }}
        />
        <div className={classes['actions']}>
          <Button loading={count !== null && !count.isWhole} onClick={() => void look()}>
            {t('worlds.pruneCount')}
          </Button>
        </div>
        {count !== null && <Counted count={count} />}
        {count?.isWhole === true && unused !== null && unused > 0 && <PruneMap world={world} regions={count.regions} />}
        <p className={classes['muted']}>{t('worlds.pruneRoom')}</p>
      </DialogForm>
    </Modal>
  )
}

function Counted({ count: { line, isWhole } }: { count: Count }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [done = 0, total = 0, chunks = 0, unused = 0, bytes = 0, damaged = 0] = line ?? []
  if (!isWhole)
    return (
      <OperationProgress
        label={t('worlds.counting', { done: format.number(done), total: format.number(total) })}
        progress={total === 0 ? null : done / total}
      />
    )
  return (
    <div role="status">
      <p>
        {unused === 0 ? (
          t('worlds.pruneNothing')
        ) : (
          <>
            {t('worlds.counted', { count: chunks, unused: format.number(unused) })}{' '}
            {t('worlds.frees', { bytes: format.bytes(bytes) })}
          </>
        )}
      </p>
      {damaged > 0 && <p className={classes['muted']}>{t('worlds.pruneDamaged', { count: damaged })}</p>}
    </div>
  )
}
