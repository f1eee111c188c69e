import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type AdminUserDetails, capabilityNameSchema } from '@wakestone/contract/admin'
import type { Capabilities, CapabilityValue } from '@wakestone/contract/capabilities'
import { type CapabilityName, capabilityNames, capabilityTextKey } from '@wakestone/contract/capability-names'
import { userSetsQuery } from '#app/features/admin/capability-sets.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { changeOf, isChanged, kindOf, valueKinds, type ValueKind, valueOfKind } from './capability-draft.ts'
import classes from './capabilities.module.css'
import { UserSets } from './user-sets.tsx'
import { useChangeCapabilities } from './user-changes.ts'

/** What the user may do on the whole product, by where it comes from. */
export function CapabilitiesTab({ user }: { user: AdminUserDetails }) {
  const { data: held, error, refetch } = useQuery(userSetsQuery(user.id))
  if (held === undefined)
    return error === null ? <Skeleton height={320} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <div className={classes['parts']}>
      <Grants key={JSON.stringify(held.granted)} user={user} before={held.granted} />
      <UserSets user={user} held={held} />
    </div>
  )
}

/** Names with a value. Saved together, they take effect at once; begun anew when what is saved has changed. */
function Grants({ user, before }: { user: AdminUserDetails; before: Capabilities }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<Capabilities>(before)
  const save = useChangeCapabilities(user.id)
  const change = changeOf(before, draft)
  const names = Object.keys(draft).toSorted()
  const set = (name: string, value: CapabilityValue) => setDraft({ ...draft, [name]: value })
  const remove = (name: string) =>
    setDraft(Object.fromEntries(Object.entries(draft).filter(([other]) => other !== name)))
  return (
    <Card title={t('admin.tab.capabilities')}>
      <p className={classes['text']}>{t('admin.capabilitiesText')}</p>
      {names.length === 0 ? (
        <EmptyState figure="none" title={t('admin.noCapabilitiesTitle')} text={t('admin.noCapabilitiesText')} />
      ) : (
        <ul className={classes['list']}>
          {names.map((name) => (
            <Row
              key={name}
              userId={user.id}
              name={name}
              value={draft[name] ?? false}
              isNew={before[name] !== draft[name]}
              onChange={(value) => set(name, value)}
              onRemove={() => remove(name)}
            />
          ))}
        </ul>
      )}
      <AddName taken={names} onAdd={(name) => set(name, true)} />
      {save.error !== null && <ErrorNote error={save.error} />}
      <div className={classes['actions']}>
        {isChanged(change) && <Button onClick={() => setDraft(before)}>{t('admin.discard')}</Button>}
        <Button
          look="primary"
          loading={save.isPending}
          why={isChanged(change) ? undefined : t('flags.whySame')}
          onClick={() => save.mutate(change)}
        >
          {t('flags.save')}
        </Button>
      </div>
    </Card>
  )
}

const isKnown = (name: string): name is CapabilityName => capabilityNames.includes(name as CapabilityName)

function Row({
  userId,
  name,
  value,
  isNew,
  onChange,
  onRemove,
}: {
  userId: string
  name: string
  value: CapabilityValue
  isNew: boolean
  onChange: (value: CapabilityValue) => void
  onRemove: () => void
}) {
  const { t } = useTranslation()
  const self = useSignedInUser()
  const kind = kindOf(value)
  const isOwnAdmin = name === 'admin' && self.id === userId
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
          disabled={isOwnAdmin}
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
          why={isOwnAdmin ? t('admin.whySelf') : undefined}
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
    <form
      className={classes['add']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
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
        type="submit"
        icon={<IconPlus size={16} aria-hidden="true" />}
        why={wanted === '' ? t('admin.whyNoName') : undefined}
      >
        {t('admin.add')}
      </Button>
    </form>
  )
}
