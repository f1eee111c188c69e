import { FileInput } from '@mantine/core'
import { worldLimits } from '@wakestone/contract/servers/worlds'
import { importWorld } from '@wakestone/contract/servers/worlds-routes'
import { useEffect, useRef, useState } from 'react'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { OperationProgress } from '#app/ui/operation-progress.tsx'
import { isName, WorldNameInput } from './name-dialog.tsx'
import { useBegin, useWorlds } from './use-worlds.ts'

/** What is tried again when the connection is away for a moment. */
const mostTries = 20
const pauseMilliseconds = 3_000

/** An archive is uploaded, and the world in it taken out. */
export function UploadDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { server } = useWorlds()
  const [file, setFile] = useState<File | null>(null)
  const [name, setName] = useState('')
  const [sent, setSent] = useState<number | null>(null)
  const leaving = useRef(new AbortController())
  const { begin, busy, failure } = useBegin(onClose)
  useEffect(() => {
    const own = new AbortController()
    leaving.current = own
    return () => own.abort()
  }, [])

  const choose = (chosen: File | null) => {
    setFile(chosen)
    if (chosen !== null && name === '') setName(nameOf(chosen.name))
  }
  const upload = async (archive: File) => {
    const path = archivePath(archive)
    try {
      await send(server.id, { archive, path, onSent: setSent, signal: leaving.current.signal })
      return await api(importWorld, {
        params: { id: server.id },
        body: { path, name: name.trim(), remove_archive: true },
      })
    } finally {
      setSent(null)
    }
  }
  return (
    <Modal opened onClose={onClose} title={t('worlds.uploadTitle')}>
      <DialogForm
        onSubmit={(event) => {
          event.preventDefault()
          if (file !== null && isName(name)) void begin(() => upload(file))
        }}
        onCancel={onClose}
        action={t('worlds.uploadBegin')}
        busy={busy}
        failure={failure}
        why={file === null ? t('worlds.uploadNeedsFile') : isName(name) ? undefined : t('worlds.nameWrong')}
      >
        <p>{t('worlds.uploadText')}</p>
        <FileInput
          label={t('worlds.uploadFile')}
          placeholder={t('worlds.uploadChoose')}
          accept=".zip,.mcworld,.tar,.gz,.tgz,.7z,.rar,.zst,.xz"
          value={file}
          disabled={busy}
          onChange={choose}
        />
        <WorldNameInput value={name} onChange={setName} />
        {sent !== null && file !== null && (
          <>
            <OperationProgress
              label={t('worlds.uploadLabel')}
              detail={t('worlds.uploading', { done: format.bytes(sent), total: format.bytes(file.size) })}
              progress={file.size === 0 ? null : sent / file.size}
            />
            <p>{t('worlds.uploadStays')}</p>
          </>
        )}
      </DialogForm>
    </Modal>
  )
}

/** Of the archive's name, what can be one of a world. */
const nameOf = (name: string) =>
  name
    .replace(/(\.tar)?\.\w+$/, '')
    .replace(/[^\p{L}\p{N}_ .-]/gu, '-')
    .replace(/^[^\p{L}\p{N}_]+/u, '')
    .replace(/[. ]+$/, '')
    .slice(0, worldLimits.nameLength)

/** Hidden beside the worlds until its world is taken out; the end of its name says how it is packed. */
function archivePath({ name }: File): string {
  const [end = '.zip'] = /(\.tar)?\.\w{1,8}$/.exec(name) ?? []
  return `.world-${crypto.randomUUID()}${end}`
}

async function send(
  serverId: string,
  {
    archive,
    path,
    onSent,
    signal,
  }: { archive: File; path: string; onSent: (bytes: number) => void; signal: AbortSignal },
): Promise<void> {
  const { sendTo } = await import('../files/uploads/send-file.ts')
  const upload = { path, file: archive, overwrite: 'fail' } as const
  for (let tries = 1; ; tries++) {
    const outcome = await sendTo(serverId)(upload as never, onSent, signal)
    if (outcome.kind === 'done') return
    if (outcome.kind === 'failed') throw outcome.error as unknown
    if (signal.aborted || outcome.kind === 'conflict' || tries === mostTries) throw new TypeError('not sent')
    await new Promise((done) => setTimeout(done, pauseMilliseconds))
  }
}
