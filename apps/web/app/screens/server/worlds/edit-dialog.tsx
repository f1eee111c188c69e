import { Checkbox, Select, TextInput } from '@mantine/core'
import { difficulties, type World } from '@wakestone/contract/servers/worlds'
import { editWorld } from '@wakestone/contract/servers/worlds-routes'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { type Draft, draftOf, readChange } from './world-draft.ts'
import { useStop } from './use-stop.tsx'
import { useBegin, useWorlds } from './use-worlds.ts'
import classes from './worlds.module.css'

/** Rules, difficulty, spawn, border and time of a world. */
export function EditDialog({ world, onClose }: { world: World; onClose: () => void }) {
  const { t } = useTranslation()
  const { server, isLive } = useWorlds()
  const [draft, setDraft] = useState<Draft>(() => draftOf(world))
  const { begin, busy, failure } = useBegin(onClose)
  const { change, wrong } = readChange(world, draft)
  // Everything else can be done by commands.
  const isStopping = world.is_active ? change.hardcore !== undefined : world.in_use
  const { note, in_seconds } = useStop(isStopping)
  const isChanged = Object.keys(change).length > 0
  const set = (values: Partial<Draft>) => setDraft({ ...draft, ...values })
  const number = (
    name: 'x' | 'y' | 'z' | 'borderX' | 'borderZ' | 'borderSize' | 'time',
    label: string,
    hint?: string,
  ) => (
    <TextInput
      label={label}
      description={hint}
      inputMode="numeric"
      value={draft[name]}
      error={wrong.has(name) ? t('worlds.edit.wrong') : undefined}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  )
  const { level } = world
  return (
    <Modal opened onClose={onClose} title={t('worlds.edit.title', { name: world.name })}>
      <DialogForm
        onSubmit={(event) => {
          event.preventDefault()
          const body = { world: world.folder, ...change, in_seconds }
          if (isChanged && wrong.size === 0) void begin(() => api(editWorld, { params: { id: server.id }, body }))
        }}
        onCancel={onClose}
        action={t('worlds.edit.save')}
        busy={busy}
        failure={failure}
        why={wrong.size > 0 ? t('worlds.edit.wrong') : isChanged ? undefined : t('worlds.edit.nothing')}
      >
        <p>{t(isLive && world.is_active ? 'worlds.edit.live' : 'worlds.edit.down')}</p>
        {isStopping && note}
        {level?.difficulty != null && (
          <Select
            label={t('worlds.fact.difficulty')}
            value={draft.difficulty}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            data={difficulties.map((value) => ({ value, label: t(`worlds.difficulty.${value}`) }))}
            onChange={(value) => set({ difficulty: value ?? draft.difficulty })}
          />
        )}
        <Checkbox
          label={t('worlds.edit.hardcore')}
          description={t('worlds.edit.hardcoreHint')}
          checked={draft.hardcore}
          onChange={(event) => set({ hardcore: event.currentTarget.checked })}
        />
        {level?.spawn != null && (
          <fieldset className={classes['fieldset']}>
            <legend>{t('worlds.edit.spawn')}</legend>
            <div className={classes['three']}>
              {number('x', 'X')}
              {number('y', 'Y')}
              {number('z', 'Z')}
            </div>
          </fieldset>
        )}
        {level?.border != null && (
          <fieldset className={classes['fieldset']}>
            <legend>{t('worlds.edit.border')}</legend>
            <div className={classes['three']}>
              {number('borderX', t('worlds.edit.centreX'))}
              {number('borderZ', t('worlds.edit.centreZ'))}
              {number('borderSize', t('worlds.edit.size'))}
            </div>
          </fieldset>
        )}
        {level?.time != null && number('time', t('worlds.edit.time'), t('worlds.edit.timeHint'))}
        <Rules draft={draft} wrong={wrong} onChange={(rules) => set({ rules })} />
      </DialogForm>
    </Modal>
  )
}

function Rules({
  draft,
  wrong,
  onChange,
}: {
  draft: Draft
  wrong: ReadonlySet<string>
  onChange: (rules: Record<string, string>) => void
}) {
  const { t } = useTranslation()
  const [filter, setFilter] = useState('')
  const names = Object.keys(draft.rules).toSorted()
  const shown = names.filter((name) => name.toLowerCase().includes(filter.trim().toLowerCase()))
  const set = (name: string, value: string) => onChange({ ...draft.rules, [name]: value })
  return (
    <fieldset className={classes['fieldset']}>
      <legend>{t('worlds.edit.rules')}</legend>
      {names.length === 0 ? (
        <p className={classes['muted']}>{t('worlds.edit.noRules')}</p>
      ) : (
        <>
          <TextInput
            aria-label={t('worlds.edit.filter')}
            placeholder={t('worlds.edit.filter')}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
          <div className={classes['rules']}>
            {shown.map((name) => {
              const value = draft.rules[name] ?? ''
              const isFlag = value === 'true' || value === 'false'
              return isFlag ? (
                <Checkbox
                  key={name}
                  label={name}
                  checked={value === 'true'}
                  onChange={(event) => set(name, String(event.currentTarget.checked))}
                />
              ) : (
                <div key={name} className={classes['rule']}>
                  <label htmlFor={`rule-${name}`}>{name}</label>
                  <TextInput
                    id={`rule-${name}`}
                    inputMode="numeric"
                    value={value}
                    error={wrong.has(`rules.${name}`) ? t('worlds.edit.wrong') : undefined}
                    onChange={(event) => set(name, event.currentTarget.value)}
                  />
                </div>
              )
            })}
          </div>
        </>
      )}
    </fieldset>
  )
}
