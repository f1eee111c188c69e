import { TextInput } from '@mantine/core'
import { type World, worldLimits, worldNameSchema } from '@wakestone/contract/servers/worlds'
import { deleteWorld, duplicateWorld, renameWorld, switchWorld } from '@wakestone/contract/servers/worlds-routes'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { useStop } from './use-stop.tsx'
import { useBegin, useWorlds } from './use-worlds.ts'

/** The name of a world that is made, copied, taken in or renamed. */
export function WorldNameInput({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const { t } = useTranslation()
  const isWrong = value !== '' && !worldNameSchema.safeParse(value).success
  return (
    <TextInput
      label={t('worlds.name')}
      description={t('worlds.nameHint')}
      maxLength={worldLimits.nameLength}
      value={value}
      error={isWrong ? t('worlds.nameWrong') : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus
    />
  )
}

export const isName = (name: string) => worldNameSchema.safeParse(name).success

/** A copy of a world, or another name for it. */
export function NameDialog({
  kind,
  world,
  onClose,
}: {
  kind: 'duplicate' | 'rename'
  world: World
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { server, isLive } = useWorlds()
  const [name, setName] = useState(kind === 'rename' ? world.name : '')
  const { begin, busy, failure } = useBegin(onClose)
  const { note, in_seconds } = useStop(world.is_active || world.in_use)
  const isReady = isName(name) && name.trim() !== world.name
  return (
    <Modal opened onClose={onClose} title={t(`worlds.${kind}Title`, { name: world.name })}>
      <DialogForm
        onSubmit={(event) => {
          event.preventDefault()
          const body = { world: world.folder, name: name.trim() }
          const params = { id: server.id }
          if (!isReady) return
          void begin(() =>
            kind === 'rename'
              ? api(renameWorld, { params, body: { ...body, in_seconds } })
              : api(duplicateWorld, { params, body }),
          )
        }}
        onCancel={onClose}
        action={t(`worlds.${kind}Begin`)}
        busy={busy}
        failure={failure}
        why={isReady ? undefined : t('worlds.nameWrong')}
      >
        {kind === 'rename' ? note : isLive && world.in_use && <p>{t('worlds.duplicateHeld')}</p>}
        <WorldNameInput value={name} onChange={setName} />
      </DialogForm>
    </Modal>
  )
}

/** Another world is played, or one goes into the trash. */
export function ConfirmWorldDialog({
  kind,
  world,
  onClose,
}: {
  kind: 'switch' | 'delete'
  world: World
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { server } = useWorlds()
  const { begin, busy, failure } = useBegin(onClose)
  const { note, in_seconds } = useStop(kind === 'switch' || world.in_use)
  const route = kind === 'switch' ? switchWorld : deleteWorld
  return (
    <Modal opened onClose={onClose} title={t(`worlds.${kind}Title`, { name: world.name })}>
      <DialogForm
        onSubmit={(event) => {
          event.preventDefault()
          void begin(() => api(route, { params: { id: server.id }, body: { world: world.folder, in_seconds } }))
        }}
        onCancel={onClose}
        action={t(`worlds.action.${kind}`)}
        look={kind === 'delete' ? 'danger' : 'primary'}
        busy={busy}
        failure={failure}
      >
        <p>{t(`worlds.${kind}Text`)}</p>
        {note}
      </DialogForm>
    </Modal>
  )
}
