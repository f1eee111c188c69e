import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import type { ApiClient } from '@wakestone/contract/client'
import type { DataExport } from '@wakestone/contract/accounts/data-export'
import { listDataExports, openDataExport, requestDataExport } from '@wakestone/contract/accounts/data-exports-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import classes from '../account.module.css'

export const dataExportsQuery = (userId: string, client: ApiClient = api) =>
  queryOf(
    listDataExports,
    { params: { id: userId } },
    { client, refetchInterval: ({ state }) => (state.data?.[0]?.state === 'pending' ? 2000 : false) },
  )

/** A copy of everything that is kept of the user: asked for, waited for, fetched. */
export function DataSection() {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const { data: copies } = useQuery(dataExportsQuery(id))
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const ask = () =>
    attempt(async () => {
      await api(requestDataExport, { params: { id } })
      await queries.invalidateQueries(dataExportsQuery(id))
    })
  const fetchCopy = (exportId: string) =>
    attempt(async () => {
      location.assign((await api(openDataExport, { params: { id, exportId } })).path)
    })
  const newest = copies?.[0]
  const isLimited = errorBodyOf(error)?.error === 'too_many_requests'
  return (
    <Card title={t('dataExport.title')} id="data">
      <p className={classes['text']}>{t('dataExport.text')}</p>
      {copies === undefined ? (
        <Skeleton height={40} />
      ) : (
        <div className={classes['form']}>
          {newest !== undefined && <CopyState copy={newest} />}
          {error !== undefined &&
            (isLimited ? <p role="alert">{t('dataExport.tooSoon')}</p> : <ErrorNote error={error} />)}
          {newest?.state === 'ready' ? (
            <Button look="primary" loading={busy} onClick={() => void fetchCopy(newest.id)}>
              {t('dataExport.fetch')}
            </Button>
          ) : (
            newest?.state !== 'pending' && (
              <Button loading={busy} onClick={() => void ask()}>
                {t('dataExport.ask')}
              </Button>
            )
          )}
        </div>
      )}
    </Card>
  )
}

function CopyState({ copy }: { copy: DataExport }) {
  const { t } = useTranslation()
  const { bytes } = useFormat()
  return (
    <p aria-live="polite">
      {t(`dataExport.state.${copy.state}`)}
      {copy.state === 'ready' && copy.expires_at !== null && copy.bytes !== null && (
        <>
          {' '}
          {bytes(copy.bytes)} · {t('dataExport.until')} <DateTime value={copy.expires_at} />
        </>
      )}
    </p>
  )
}
