import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { changeEngineBody } from '@wakestone/contract/servers/engine'
import { changeEngine } from '@wakestone/contract/servers/engine-routes'
import type { EngineId, Server } from '@wakestone/contract/servers/server'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '#app/api/client.ts'
import { AbsentEngines } from '#app/features/offers/absent-engines.tsx'
import { gamesQuery } from '#app/features/servers/games-query.ts'
import { engineName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { CopyField, KeptField, pathsOf } from './files-fields.tsx'
import classes from './settings.module.css'

type Props = {
  server: Server
  present: { engine: EngineId; version: string }
  /** Why nothing can be begun now. */
  why: string | undefined
  onBegun: () => Promise<unknown>
}

/** Which engine and version, and what becomes of the files. `?version=` chooses one before. */
export function EngineForm({ server, present, why, onBegun }: Props) {
  const { t } = useTranslation()
  const games = useQuery(gamesQuery())
  const engines = games.data?.find(({ id }) => id === server.parameters.game)?.engines ?? []
  const [engine, setEngine] = useState<EngineId>(present.engine)
  const offered = engines.find(({ id }) => id === engine)
  const [search] = useSearchParams()
  const [chosenVersion, setVersion] = useState<string | null>(search.get('version'))
  const version =
    [chosenVersion, present.version].find((one) => offered?.versions.some(({ id }) => id === one)) ??
    offered?.latest ??
    null
  const [files, setFiles] = useState<'keep' | 'delete'>('keep')
  const [kept, setKept] = useState('world')
  const [isCopied, setCopied] = useState(true)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)

  const submit = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const keep_files = files === 'keep' ? [] : pathsOf(kept)
      const body = changeEngineBody.parse({
        engine,
        version: version ?? undefined,
        keep_files,
        ignore_format: files === 'keep',
        ignore_backup: !isCopied,
      })
      await api(changeEngine, { params: { id: server.id }, body })
      await onBegun()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  if (games.data === undefined) return games.isError ? <ErrorNote error={games.error} /> : <Skeleton height={260} />
  const isSame = engine === present.engine && version === present.version && files === 'keep'
  return (
    <Card title={t('engine.change')}>
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (why === undefined && !isSame) void submit()
        }}
      >
        <div className={classes['pair']}>
          <NativeSelect
            label={t('engine.engine')}
            value={engine}
            data={engines.map(({ id }) => ({ value: id, label: engineName(id) }))}
            onChange={(event) => setEngine(event.currentTarget.value as EngineId)}
          />
          <NativeSelect
            label={t('engine.version')}
            value={version ?? ''}
            data={(offered?.versions ?? []).map(({ id, type }) => ({
              value: id,
              label: type === 'snapshot' ? t('engine.snapshot', { version: id }) : id,
            }))}
            onChange={(event) => setVersion(event.currentTarget.value)}
          />
        </div>
        <AbsentEngines offered={engines} game={server.parameters.game} />
        <div className={classes['group']}>
          <Segmented
            label={t('engine.files')}
            options={[
              { value: 'keep', label: t('engine.keepAll') },
              { value: 'delete', label: t('engine.deleteSome') },
            ]}
            value={files}
            onChange={setFiles}
          />
          <p className={classes['text']}>{t(files === 'keep' ? 'engine.keepAllHint' : 'engine.deleteSomeHint')}</p>
        </div>
        {files === 'delete' && <KeptField value={kept} onChange={setKept} />}
        <CopyField checked={isCopied} onChange={setCopied} />
        {failure !== undefined && <ErrorNote error={failure} title={t('engine.notBegun')} />}
        <Button type="submit" look="primary" loading={busy} why={why ?? (isSame ? t('engine.same') : undefined)}>
          {t('engine.begin')}
        </Button>
      </form>
    </Card>
  )
}
