import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { packagePreviewSchema, type PackageSelector } from '@wakestone/contract/servers/packages'
import { installPackages } from '@wakestone/contract/servers/packages-routes'
import { api } from '#app/api/client.ts'
import { transportQuery } from '#app/api/query-of.ts'
import { PlayersWarning, usualMinutes, type WarningMinutes } from '#app/features/power/warning-choice.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import { ConflictView } from './conflict-view.tsx'
import { type AskedChange, askToRemove, isNothing, sendChange, takeWayOut, withName } from './package-change.ts'
import { PlanView } from './plan-view.tsx'
import classes from './packages.module.css'
import { usePackages } from './use-packages.ts'

/** Asked of whichever route makes the change: the key names all that is asked. */
const planQuery = (id: string, asked: AskedChange) =>
  transportQuery(
    installPackages,
    { params: { id }, query: asked },
    {
      read: async () => packagePreviewSchema.parse(await sendChange(api, id, asked, { dry_run: true })),
      // What is installed may change while a dialog is closed.
      staleTime: 0,
      gcTime: 0,
    },
  )

/** The plan of a change before it is made; one that cannot be made is explained, with what would work instead. */
export function ChangeDialog({
  title,
  asked: first,
  onClose,
}: {
  title: string
  asked: AskedChange
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { server, identity, players, why, begun } = usePackages()
  const [asked, setAsked] = useState(first)
  const [ticked, setTicked] = useState<readonly PackageSelector[]>([])
  const [chosen, setChosen] = useState<WarningMinutes | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const {
    data: preview,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...planQuery(server.id, asked),
    // While another plan is worked out the one before it stays in sight.
    placeholderData: keepPreviousData,
  })
  const isPlanned = preview?.is_possible === true
  const endsGame = isPlanned && preview.restarts && players > 0
  const minutes = chosen ?? usualMinutes(players)
  const isIdle =
    asked.kind !== 'rollback' &&
    isPlanned &&
    preview.added.length + preview.changed.length + preview.removed.length === 0
  const onlyChanges = isPlanned && preview.added.length === 0 && preview.changed.length > 0
  const goesBack = isPlanned && preview.warnings.some(({ kind }) => kind === 'downgrade')
  const what = asked.kind === 'install' && onlyChanges ? (goesBack ? 'change' : 'update') : asked.kind
  const take = (next: AskedChange | undefined) => {
    if (next === undefined) return
    if (isNothing(next)) onClose()
    else setAsked(next)
  }
  const begin = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await sendChange(api, server.id, asked, { in_seconds: endsGame ? Number(minutes) * 60 : 0 })
      await begun()
      onClose()
    } catch (problem) {
      setFailure(problem)
      // Something else has changed meanwhile: what is shown is not what would be done.
      await refetch()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          {(preview === undefined || isPlanned) && (
            <Button
              look={asked.kind === 'uninstall' ? 'danger' : 'primary'}
              loading={busy}
              why={
                why ??
                (!isPlanned || isFetching ? t('packages.planning') : isIdle ? t('packages.nothingToDo') : undefined)
              }
              onClick={() => void begin()}
            >
              {t(`packages.begin.${what}`)}
            </Button>
          )}
        </>
      }
    >
      {failure !== undefined && <ErrorNote error={failure} />}
      {preview === undefined ? (
        error === null ? (
          <div role="status">
            <p className="visually-hidden">{t('packages.planning')}</p>
            <SkeletonText lines={4} />
          </div>
        ) : (
          <ErrorNote error={error} />
        )
      ) : preview.is_possible ? (
        <>
          <PlanView
            preview={preview}
            asked={asked}
            onChange={setAsked}
            ticked={ticked}
            onTick={(selector, isWanted) => {
              setTicked(isWanted ? [...ticked, selector] : ticked.filter(({ name }) => name !== selector.name))
              take(withName(asked, selector, isWanted))
            }}
          />
          {endsGame && (
            <div className={classes['players']}>
              <PlayersWarning players={players} minutes={minutes} onChange={setChosen} />
            </div>
          )}
        </>
      ) : (
        <ConflictView
          preview={preview}
          engineAddress={`/s/${identity}/settings/engine`}
          onTake={(changes) => take(takeWayOut(asked, changes))}
          onTakeEngine={() => asked.kind === 'install' && take({ ...asked, changeEngine: true })}
          onTakeDependants={(names) =>
            asked.kind === 'uninstall' && take({ ...askToRemove([...new Set([...asked.names, ...names])]) })
          }
        />
      )}
    </Modal>
  )
}
