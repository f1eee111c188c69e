import { IconArrowLeft, IconX } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { FileIcon } from '../file-icon.tsx'
import { nameOf } from '../paths.ts'
import { useFiles } from '../use-files.ts'
import classes from './editor.module.css'
import { FileView } from './file-view.tsx'
import { isChanged, openFilesOf } from './open-files.ts'
import { saveText } from './save-text.ts'

/** Open files as tabs, and the one that the address names. */
export default function Editor({ path, line }: { path: string; line: number | null }) {
  const { t } = useTranslation()
  const { serverId, folder, folderLink, fileLink, openFile } = useFiles()
  const [search, setSearch] = useSearchParams()
  const files = openFilesOf(serverId)
  const { paths, texts } = useSyncExternalStore(files.subscribe, files.get, files.get)
  const [closing, setClosing] = useState<string | null>(null)
  useEffect(() => files.open(path), [files, path])
  const leave = () => {
    const next = new URLSearchParams(search)
    next.delete('file')
    next.delete('line')
    setSearch(next)
  }
  const close = (which: string) => {
    const next = files.close(which)
    setClosing(null)
    if (which !== path) return
    if (next === null) leave()
    else openFile(next)
  }
  const askToClose = (which: string) => {
    if (isChanged(texts.get(which))) setClosing(which)
    else close(which)
  }
  return (
    <section className={classes['editor']} aria-label={t('files.editor.label')}>
      <div className={classes['tabs']}>
        <Link to={folderLink(folder)} className={classes['back']} aria-label={t('files.editor.back')}>
          <IconArrowLeft size={18} aria-hidden />
        </Link>
        <ul>
          {(paths.includes(path) ? paths : [...paths, path]).map((one) => {
            const hasChanged = isChanged(texts.get(one))
            return (
              <li key={one} data-current={one === path || undefined}>
                <Link to={fileLink(one)} title={one} aria-current={one === path ? 'page' : undefined}>
                  <FileIcon entry={{ name: one, type: 'file' }} size={16} />
                  {nameOf(one)}
                  {hasChanged && <span className={classes['dot']} role="img" aria-label={t('files.editor.unsaved')} />}
                </Link>
                <button
                  type="button"
                  aria-label={t('files.editor.close', { name: nameOf(one) })}
                  onClick={() => askToClose(one)}
                >
                  <IconX size={14} aria-hidden />
                </button>
              </li>
            )
          })}
        </ul>
      </div>
      <FileView key={path} path={path} line={line} />
      <ClosingDialog
        path={closing}
        onCancel={() => setClosing(null)}
        onDiscard={close}
        onSave={async (which) => {
          try {
            await saveText(serverId, which)
            close(which)
          } catch (error) {
            setClosing(null)
            openFile(which)
            showErrorToast(error, t('files.editor.saveFailed'))
          }
        }}
      />
    </section>
  )
}

/** What was typed is lost, unless it is saved. */
function ClosingDialog({
  path,
  onCancel,
  onDiscard,
  onSave,
}: {
  path: string | null
  onCancel: () => void
  onDiscard: (path: string) => void
  onSave: (path: string) => Promise<void>
}) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    await onSave(path!)
    setBusy(false)
  }
  return (
    <Modal
      opened={path !== null}
      onClose={onCancel}
      title={t('files.editor.closeTitle', { name: nameOf(path ?? '') })}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button onClick={() => onDiscard(path!)}>{t('files.editor.discard')}</Button>
          <Button look="primary" loading={busy} onClick={() => void save()}>
            {t('files.editor.save')}
          </Button>
        </>
      }
    >
      <p>{t('files.editor.closeText')}</p>
    </Modal>
  )
}
