import { FileInput } from '@mantine/core'
import { mysqlImportBytes } from '@wakestone/contract/servers/mysql'
import { useState } from 'react'
import { sendToApi } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import classes from './mysql.module.css'

type Refusal = { error: string; fields?: { reason?: unknown } }

/** Runs the statements of a file. What MariaDB says of one that it refuses is shown in its own words. */
export function ImportDialog({
  serverId,
  onClose,
  onTried,
  onImported,
}: {
  serverId: string
  onClose: () => void
  /** Well or not, something may have been done. */
  onTried: () => void
  onImported: (name: string) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const [file, setFile] = useState<File | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | TypeError | undefined>(undefined)
  const isTooLarge = (file?.size ?? 0) > mysqlImportBytes
  const reason = refusal instanceof TypeError ? undefined : refusal?.fields?.reason

  async function run(chosen: File) {
    setBusy(true)
    setRefusal(undefined)
    try {
      const response = await sendToApi(`/api/v1/servers/${serverId}/mysql/import`, {
        method: 'POST',
        headers: { 'content-type': 'application/sql', accept: 'application/json' },
        body: chosen,
      })
      if (response.ok) onImported(chosen.name)
      else setRefusal((await response.json()) as Refusal)
    } catch (error) {
      setRefusal(error instanceof TypeError ? error : { error: 'internal_error' })
    } finally {
      setBusy(false)
      onTried()
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('mysql.importTitle')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            look="primary"
            loading={isBusy}
            why={file === null ? t('mysql.chooseFirst') : isTooLarge ? t('mysql.tooLarge') : undefined}
            onClick={() => file !== null && void run(file)}
          >
            {t('mysql.import')}
          </Button>
        </>
      }
    >
      <div className={classes['parts']}>
        <p>{t('mysql.importText')}</p>
        <FileInput
          label={t('mysql.file')}
          description={t('mysql.fileHint', { limit: format.bytes(mysqlImportBytes) })}
          placeholder={t('mysql.choose')}
          accept=".sql,application/sql,text/plain"
          value={file}
          onChange={setFile}
        />
        <div aria-live="polite">
          {isBusy && <p className={classes['muted']}>{t('mysql.importing')}</p>}
          {refusal !== undefined && <ErrorNote error={refusal instanceof TypeError ? refusal : refusal.error} />}
          {typeof reason === 'string' && (
            <p className={classes['said']}>
              {t('mysql.refusedBy')} <code>{reason}</code>
            </p>
          )}
        </div>
      </div>
    </Modal>
  )
}
