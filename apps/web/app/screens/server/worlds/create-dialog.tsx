import { Select, TextInput } from '@mantine/core'
import { type Generator, generators, worldLimits } from '@wakestone/contract/servers/worlds'
import { createWorld } from '@wakestone/contract/servers/worlds-routes'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { isName, WorldNameInput } from './name-dialog.tsx'
import { useStop } from './use-stop.tsx'
import { useBegin, useWorlds } from './use-worlds.ts'

/** A new world with a seed and a kind of land. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { server, isBedrock } = useWorlds()
  const [name, setName] = useState('')
  const [seed, setSeed] = useState('')
  const [generator, setGenerator] = useState<Generator>('normal')
  const { begin, busy, failure } = useBegin(onClose)
  const { note, in_seconds } = useStop(true)
  const offered = isBedrock ? generators.slice(0, 2) : generators
  return (
    <Modal opened onClose={onClose} title={t('worlds.createTitle')}>
      <DialogForm
        onSubmit={(event) => {
          event.preventDefault()
          const body = { name: name.trim(), seed: seed.trim(), generator, in_seconds }
          if (isName(name)) void begin(() => api(createWorld, { params: { id: server.id }, body }))
        }}
        onCancel={onClose}
        action={t('worlds.createBegin')}
        busy={busy}
        failure={failure}
        why={isName(name) ? undefined : t('worlds.nameWrong')}
      >
        <p>{t('worlds.createText')}</p>
        {note}
        <WorldNameInput value={name} onChange={setName} />
        <TextInput
          label={t('worlds.seed')}
          description={t('worlds.seedHint')}
          maxLength={worldLimits.seedLength}
          value={seed}
          onChange={(event) => setSeed(event.currentTarget.value)}
        />
        <Select
          label={t('worlds.generator')}
          value={generator}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          data={offered.map((value) => ({ value, label: t(`worlds.generators.${value}`) }))}
          onChange={(value) => setGenerator(generators.find((one) => one === value) ?? 'normal')}
        />
      </DialogForm>
    </Modal>
  )
}
