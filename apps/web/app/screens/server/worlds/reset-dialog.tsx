import { Select } from '@mantine/core'
import type { World } from '@wakestone/contract/servers/worlds'
import { resetDimension } from '@wakestone/contract/servers/worlds-routes'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { useDimensionName } from '#app/features/servers/dimension-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { useStop } from './use-stop.tsx'
import { useBegin, useWorlds } from './use-worlds.ts'

/** One dimension goes, and is made anew by the game. */
export function ResetDialog({ world, onClose }: { world: World; onClose: () => void }) {
  const { t } = useTranslation()
  const { server } = useWorlds()
  const dimensionName = useDimensionName()
  // Most often it is the End or the Nether.
  const [dimension, setDimension] = useState(world.dimensions.at(-1)?.name ?? '')
  const { begin, busy, failure } = useBegin(onClose)
  const { note, in_seconds } = useStop(world.is_active || world.in_use)
  return (
    <Modal opened onClose={onClose} title={t('worlds.resetTitle', { name: world.name })}>
      <DialogForm
        onSubmit={(event) => {
          event.preventDefault()
          const body = { world: world.folder, dimension, in_seconds }
          void begin(() => api(resetDimension, { params: { id: server.id }, body }))
        }}
        onCancel={onClose}
        action={t('worlds.resetBegin')}
        look="danger"
        busy={busy}
        failure={failure}
      >
        <p>{t('worlds.resetText')}</p>
        {note}
        {world.is_active && <p>{t('worlds.safety')}</p>}
        <Select
          label={t('worlds.resetWhich')}
          value={dimension}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          data={world.dimensions.map(({ name }) => ({ value: name, label: dimensionName(name) }))}
          onChange={(value) => setDimension(value ?? dimension)}
        />
      </DialogForm>
    </Modal>
  )
}
