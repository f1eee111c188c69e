import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Capabilities } from '@wakestone/contract/capabilities'
import { type CapabilityName, userCapabilityGroups } from '@wakestone/contract/capability-names'
import { type CapabilitySet, capabilitySetBody } from '@wakestone/contract/admin/capability-set'
import {
  changeCapabilitySet,
  createCapabilitySet,
  deleteCapabilitySet,
} from '@wakestone/contract/admin/capability-sets-routes'
import { api } from '#app/api/client.ts'
import { useReloadAdministration } from '#app/features/admin/capability-sets.ts'
import { CapabilityCheckboxes } from '#app/features/capabilities/capability-checkboxes.tsx'
import { CapabilityValues } from '#app/features/capabilities/capability-values.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmByTyping } from '#app/ui/confirm-by-typing.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './capability-sets.module.css'

const names: readonly string[] = userCapabilityGroups.flatMap(({ capabilities }) => [...capabilities])
const schema = capabilitySetBody.omit({ capabilities: true })

/** A set's name and rights. What boxes cannot say has a list of its own: numbers, texts, a no, an operator's own names. */
export function SetEditor({ set }: { set?: CapabilitySet }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const reload = useReloadAdministration()
  const before = Object.entries(set?.capabilities ?? {})
  const isBox = ([name, value]: (typeof before)[number]) => value === true && names.includes(name)
  const [beforeValues] = useState<Capabilities>(() => Object.fromEntries(before.filter((entry) => !isBox(entry))))
  const [values, setValues] = useState(beforeValues)
  const [chosen, setChosen] = useState(() => before.filter(isBox).map(([name]) => name as CapabilityName))
  const [isSaved, setSaved] = useState(false)
  const form = useZodForm(schema, { name: set?.name ?? '', description: set?.description ?? '' })
  const submit = form.submit(async (content) => {
    setSaved(false)
    const capabilities: Capabilities = {
      ...Object.fromEntries(chosen.map((name) => [name, true])),
      ...values,
    }
    const body = { ...content, capabilities }
    try {
      const saved =
        set === undefined
          ? await api(createCapabilitySet, { body })
          : await api(changeCapabilitySet, { params: { id: set.id }, body })
      await reload()
      if (set === undefined) await navigate(`?set=${saved.id}`, { replace: true })
      else setSaved(true)
    } catch (error) {
      if (errorBodyOf(error)?.error !== 'resource_already_exists') throw error
      form.refuse('name', 'taken')
    }
  })
  return (
    <Card title={set?.name ?? t('capabilitySets.new')}>
      <form className={classes['form']} noValidate onSubmit={submit} onChange={() => setSaved(false)}>
        <TextInput
          className={classes['field'] ?? ''}
          label={t('capabilitySets.name')}
          maxLength={64}
          autoComplete="off"
          {...form.field('name')}
        />
        <TextInput
          className={classes['field'] ?? ''}
          label={t('capabilitySets.description')}
          maxLength={255}
          autoComplete="off"
          {...form.field('description')}
        />
        <CapabilityCheckboxes
          groups={userCapabilityGroups}
          chosen={chosen}
          onChange={(ticked) => {
            setChosen(ticked)
            // A box says yes: no other value of the same name beside it.
            setValues(
              Object.fromEntries(Object.entries(values).filter(([name]) => !ticked.includes(name as CapabilityName))),
            )
          }}
        />
        <fieldset className={classes['values']}>
          <legend>{t('capabilitySets.values')}</legend>
          <p className={classes['muted']}>{t('capabilitySets.valuesText')}</p>
          <CapabilityValues
            values={values}
            before={beforeValues}
            taken={chosen}
            onChange={(next) => {
              setValues(next)
              setSaved(false)
            }}
          />
        </fieldset>
        {form.failure !== undefined && <ErrorNote error={form.failure} />}
        <div className={classes['actions']}>
          <Button type="submit" look="primary" loading={form.busy}>
            {t(set === undefined ? 'capabilitySets.create' : 'capabilitySets.save')}
          </Button>
          <span aria-live="polite">{isSaved && t('capabilitySets.saved')}</span>
        </div>
      </form>
    </Card>
  )
}

export function DeleteSet({ set: { id, name, holders } }: { set: CapabilitySet }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const reload = useReloadAdministration()
  const [isOpen, setOpen] = useState(false)
  const remove = async () => {
    await api(deleteCapabilitySet, { params: { id } })
    await navigate('?', { replace: true })
    await reload()
  }
  return (
    <div>
      <Button look="danger" onClick={() => setOpen(true)}>
        {t('capabilitySets.delete')}
      </Button>
      <ConfirmByTyping
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('capabilitySets.deleteTitle')}
        text={t('capabilitySets.deleteText', { count: holders })}
        name={name}
        action={t('capabilitySets.delete')}
        onConfirm={remove}
      />
    </div>
  )
}
