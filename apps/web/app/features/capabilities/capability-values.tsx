import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { capabilityNameSchema } from '@wakestone/contract/admin/admin'
import type { Capabilities, CapabilityValue } from '@wakestone/contract/capabilities'
import { type CapabilityName, capabilityNames, capabilityTextKey } from '@wakestone/contract/capability-names'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { kindOf, valueKinds, type ValueKind, valueOfKind } from './capability-draft.ts'
import classes from './capability-values.module.css'

/**
 * Names with a value of any kind, each to be changed or removed, and a field that adds one. What differs from `before` is
 * marked. `taken`: names that stand elsewhere. `whyFixed` says why one must stay as it is.
 */
export function CapabilityValues({
  values,
  before,
  taken = [],
  whyFixed = () => undefined,
  onChange,
}: {
  values: Capabilities
  before: Capabilities
  taken?: readonly string[]
  whyFixed?: (name: string) => string | undefined
  onChange: (values: Capabilities) => void
}) {
  const names = Object.keys(values).toSorted()
  const set = (name: string, value: CapabilityValue) => onChange({ ...values, [name]: value })
  const remove = (name: string) =>
    onChange(Object.fromEntries(Object.entries(values).filter(([other]) => other !== name)))
  return (
    <div>
      {names.length > 0 && (
        <ul className={classes['list']}>
          {names.map((name) => (
            <Row
              key={name}
              name={name}
              value={values[name] ?? false}
              isNew={before[name] !== values[name]}
              whyFixed={whyFixed(name)}
              onChange={(value) => set(name, value)}
              onRemove={() => remove(name)}
            />
          ))}
        </ul>
      )}
      <AddName taken={[...names, ...taken]} onAdd={(name) => set(name, true)} />
    </div>
  )
}

const isKnown = (name: string): name is CapabilityName => capabilityNames.includes(name as CapabilityName)

function Row({
  name,
  value,
  isNew,
  whyFixed,
  onChange,
  onRemove,
}: {
  name: string
  value: CapabilityValue
  isNew: boolean
  whyFixed: string | undefined
  onChange: (value: CapabilityValue) => void
  onRemove: () => void
}) {
  const { t } = useTranslation()
  const kind = kindOf(value)
  return (
    <li data-changed={isNew || undefined}>
      <div className={classes['name']}>
        <code>{name}</code>
        {isKnown(name) && <span>{t(`capabilities.names.${capabilityTextKey(name)}`)}</span>}
      </div>
      <div className={classes['value']}>
        <NativeSelect
          aria-label={t('admin.valueOf', { name })}
          value={kind}
          disabled={whyFixed !== undefined}
          data={valueKinds.map((each) => ({ value: each, label: t(`admin.valueKinds.${each}`) }))}
          onChange={(event) => onChange(valueOfKind(event.currentTarget.value as ValueKind, value))}
        />
        {typeof value === 'number' && (
          <NumberInput
            aria-label={t('admin.valueOf', { name })}
            value={value}
            hideControls
            onChange={(given) => onChange(Number(given) || 0)}
          />
        )}
        {typeof value === 'string' && (
          <TextInput
            aria-label={t('admin.valueOf', { name })}
            value={value}
            maxLength={200}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        )}
        <Button
          look="quiet"
          size="small"
          icon={<IconX size={16} aria-hidden="true" />}
          why={whyFixed}
          aria-label={t('admin.remove', { name })}
          onClick={onRemove}
        >
          {t('admin.removeShort')}
        </Button>
      </div>
    </li>
  )
}

/** One of the names that the product asks about, or one of the operator's own. */
function AddName({ taken, onAdd }: { taken: readonly string[]; onAdd: (name: string) => void }) {
  const { t } = useTranslation()
  const listId = useId()
  const [name, setName] = useState('')
  const [isWrong, setWrong] = useState(false)
  const wanted = name.trim()
  const add = () => {
    if (!capabilityNameSchema.safeParse(wanted).success) return setWrong(true)
    if (!taken.includes(wanted)) onAdd(wanted)
    setName('')
  }
  return (
    <div className={classes['add']}>
      <TextInput
        className={classes['field'] ?? ''}
        label={t('admin.addName')}
        description={t('admin.addNameHint')}
        value={name}
        list={listId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={80}
        error={isWrong ? t('fields.capability_name') : undefined}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setWrong(false)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault() // adds, and sends no form that this stands in
          if (wanted !== '') add()
        }}
      />
      <datalist id={listId}>
        {capabilityNames
          .filter((known) => !taken.includes(known))
          .map((known) => (
            <option key={known} value={known}>
              {t(`capabilities.names.${capabilityTextKey(known)}`)}
            </option>
          ))}
      </datalist>
      <Button
        icon={<IconPlus size={16} aria-hidden="true" />}
        why={wanted === '' ? t('admin.whyNoName') : undefined}
        onClick={add}
      >
        {t('admin.add')}
      </Button>
    </div>
  )
}
