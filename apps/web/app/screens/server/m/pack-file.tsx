import { IconPackageImport } from '@tabler/icons-react'
import { useState } from 'react'
import { takePack } from '@wakestone/contract/servers/packages-routes'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { Modal } from '#app/ui/modal.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { FilePicker } from './file-picker.tsx'
import { type AskedChange, askFor } from './package-change.ts'
import classes from './packages.module.css'
import { usePackages } from './use-packages.ts'

const isUnreadable = (error: unknown) => errorBodyOf(error)?.fields?.['reason'] === 'pack_unreadable'
/** For people who know packs: the path, or the part of the list, that is wrong. */
const detailOf = (error: unknown) => String(errorBodyOf(error)?.fields?.['detail'] ?? '')

/** Installs a pack of mods that lies among the server's files: it is read, and its plan shown. */
export function PackFile() {
  const { t } = useTranslation()
  const { server, why } = usePackages()
  const [isPicking, setIsPicking] = useState(false)
  const [picked, setPicked] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const [opened, setOpened] = useState<{ title: string; asked: AskedChange } | null>(null)
  const [path] = picked
  const isPack = picked.length === 1 && path !== undefined && /\.(mrpack|zip)$/i.test(path)
  const read = async () => {
    if (path === undefined) return
    setBusy(true)
    setFailure(undefined)
    try {
      const { name, version, title } = await api(takePack, { params: { id: server.id }, body: { path } })
      setIsPicking(false)
      setOpened({ title: t('packages.installTitle', { name: title }), asked: askFor(name, version) })
    } catch (problem) {
      setFailure(problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes['actions']}>
      <Button icon={<IconPackageImport size={16} aria-hidden="true" />} why={why} onClick={() => setIsPicking(true)}>
        {t('packages.fromFile')}
      </Button>
      {isPicking && (
        <Modal
          opened
          onClose={() => setIsPicking(false)}
          title={t('packages.fromFile')}
          actions={
            <>
              <Button onClick={() => setIsPicking(false)}>{t('common.cancel')}</Button>
              <Button
                look="primary"
                loading={busy}
                why={isPack ? undefined : t('packages.pickPack')}
                onClick={() => void read()}
              >
                {t('packages.readPack')}
              </Button>
            </>
          }
        >
          <p className={classes['muted']}>{t('packages.fromFileText')}</p>
          <FilePicker serverId={server.id} picked={picked} onChange={setPicked} />
          {failure !== undefined &&
            (isUnreadable(failure) ? (
              <p role="alert">
                <strong>{t('packages.obstacles.pack_unreadable')}</strong> <code>{detailOf(failure)}</code>
              </p>
            ) : (
              <ErrorNote error={failure} />
            ))}
        </Modal>
      )}
      {opened !== null && <ChangeDialog {...opened} onClose={() => setOpened(null)} />}
    </div>
  )
}
