import { FileInput } from '@mantine/core'
import { getFileStat } from '@wakestone/contract/servers/files-routes'
import { worldLimits } from '@wakestone/contract/servers/worlds'
import { importWorld } from '@wakestone/contract/servers/worlds-routes'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { Modal } from '#app/ui/modal.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { archiveStem } from '../files/file-kind.ts'
import { nameOf } from '../files/paths.ts'
import { ArchivePicker } from './archive-picker.tsx'
import { isName, WorldNameInput } from './name-dialog.tsx'
import { useBegin, useWorlds } from './use-worlds.ts'
import { archivePath, type WorldUpload, worldUploadsOf } from './world-uploads.ts'

/** A world out of an archive: of this computer, or of one that is among the server's files. */
export function UploadDialog({ again, onClose }: { again?: WorldUpload | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const { server, isBedrock } = useWorlds()
  const [from, setFrom] = useState<'computer' | 'server'>('computer')
  const [file, setFile] = useState<File | null>(null)
  const [path, setPath] = useState<string | null>(null)
  const [name, setName] = useState(again?.name ?? '')
  const [taken, setTaken] = useState<string | null>(null)
  const { begin, busy, failure } = useBegin(onClose)
  const params = { id: server.id }
  const wanted = name.trim()
  const hasArchive = again !== undefined || (from === 'computer' ? file !== null : path !== null)

  const propose = (archive: string) => {
    if (name === '') setName(worldNameOf(archive))
  }
  /** Before a gigabyte is sent: nothing of that name is there. */
  const isTaken = async (): Promise<boolean> => {
    try {
      await api(getFileStat, { params, query: { path: isBedrock ? `worlds/${wanted}` : wanted } })
      return true
    } catch (error) {
      if (errorBodyOf(error)?.error === 'file_does_not_exist') return false
      throw error
    }
  }
  const submit = async () => {
    const uploads = worldUploadsOf(server.id)
    if (await isTaken()) return setTaken(wanted)
    if (again !== undefined) {
      onClose()
      return void uploads.importAgain(wanted)
    }
    if (from === 'server') {
      const body = { path: path!, name: wanted, remove_archive: false }
      return void begin(() => api(importWorld, { params, body }))
    }
    onClose()
    await uploads.start(file!, wanted)
  }
  const [checking, setChecking] = useState(false)
  const [refusal, setRefusal] = useState<unknown>(undefined)
  const check = async () => {
    setChecking(true)
    setRefusal(undefined)
    try {
      await submit()
    } catch (error) {
      setRefusal(error)
    } finally {
      setChecking(false)
    }
  }
  const why = !hasArchive
    ? t('worlds.uploadNeedsFile')
    : !isName(name)
      ? t('worlds.nameWrong')
      : taken === wanted
        ? t('worlds.nameTaken', { name: wanted })
        : undefined
  return (
    <Modal opened onClose={onClose} title={t('worlds.uploadTitle')}>
      <DialogForm
        onSubmit={(event) => {
          event.preventDefault()
          if (why === undefined && !busy && !checking) void check()
        }}
        onCancel={onClose}
        action={t(from === 'server' || again !== undefined ? 'worlds.uploadTakeIn' : 'worlds.uploadBegin')}
        busy={busy || checking}
        failure={failure ?? refusal}
        why={why}
      >
        {again === undefined ? (
          <>
            <p>{t('worlds.uploadText')}</p>
            <Segmented
              label={t('worlds.pick.where')}
              options={[
                { value: 'computer', label: t('worlds.pick.computer') },
                { value: 'server', label: t('worlds.pick.server') },
              ]}
              value={from}
              onChange={setFrom}
            />
            {from === 'computer' ? (
              <FileInput
                label={t('worlds.uploadFile')}
                placeholder={t('worlds.uploadChoose')}
                accept=".zip,.mcworld,.tar,.gz,.tgz,.bz2,.7z,.rar,.zst,.xz,.lz4,.lzo"
                value={file}
                disabled={busy}
                onChange={(chosen) => {
                  setFile(chosen)
                  if (chosen !== null) propose(chosen.name)
                }}
              />
            ) : (
              <ArchivePicker
                serverId={server.id}
                value={path}
                onChange={(chosen) => {
                  setPath(chosen)
                  if (chosen !== null) propose(nameOf(chosen))
                }}
              />
            )}
          </>
        ) : (
          <p>{t('worlds.uploadThere', { file: nameOf(archivePath(again.file)) })}</p>
        )}
        <WorldNameInput value={name} onChange={setName} />
        {taken === wanted && <p role="alert">{t('worlds.nameTaken', { name: wanted })}</p>}
      </DialogForm>
    </Modal>
  )
}

/** Of the archive's name, what can be one of a world. */
const worldNameOf = (archive: string) =>
  archiveStem(archive)
    .replace(/[^\p{L}\p{N}_ .-]/gu, '-')
    .replace(/^[^\p{L}\p{N}_]+/u, '')
    .replace(/[. ]+$/, '')
    .slice(0, worldLimits.nameLength)
