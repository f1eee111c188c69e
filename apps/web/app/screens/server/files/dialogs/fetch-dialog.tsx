import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { findNameFault } from '@wakestone/contract/servers/file-values'
import { fetchFile } from '@wakestone/contract/servers/files-routes'
import { listProcesses } from '@wakestone/contract/servers/operations-routes'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { joinPath } from '../paths.ts'
import { useFiles } from '../use-files.ts'

/** The last part of an address, as a name. */
function nameIn(address: string): string {
  try {
    return decodeURIComponent(new URL(address).pathname.split('/').at(-1) ?? '')
  } catch {
    return ''
  }
}

/** Has the server fetch a file by itself: a plugin's, without the way over one's own line. */
export function FetchDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { serverId, folder } = useFiles()
  const [url, setUrl] = useState('')
  const [typedName, setTypedName] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const isAddress = /^https?:\/\/[^\s/]+/.test(url.trim())
  const name = typedName ?? nameIn(url.trim())
  const fault = findNameFault(name)
  const begin = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await api(fetchFile, { params: { id: serverId }, body: { url: url.trim(), path: joinPath(folder, name) } })
      await makeStale(queries, answersOf(listProcesses, { id: serverId }))
      onClose()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={t('files.fetch.title')}>
      <DialogForm
        onSubmit={(event) => {
          event.preventDefault()
          if (isAddress && fault === undefined && !busy) void begin()
        }}
        onCancel={onClose}
        action={t('files.fetch.begin')}
        busy={busy}
        failure={failure}
        why={!isAddress ? t('files.fetch.noAddress') : fault === undefined ? undefined : t(`files.nameFault.${fault}`)}
      >
        <TextInput
          data-autofocus
          type="url"
          label={t('files.fetch.url')}
          description={t('files.fetch.hint')}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <TextInput
          label={t('files.fetch.name')}
          value={name}
          error={isAddress && fault !== undefined ? t(`files.nameFault.${fault}`) : undefined}
          onChange={(event) => setTypedName(event.currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  )
}
