import { Checkbox, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type Shop, type ShopCommand, type ShopItem, shopItemBody, shopLimits } from '@wakestone/contract/sales/shop'
import { fillCommand } from '@wakestone/contract/sales/shop-command'
import { shopPictureUrl } from '@wakestone/contract/sales/shop-picture-transport'
import { findInItem } from '@wakestone/contract/sales/shop-rules'
import { changeShopItem, createShopItem } from '@wakestone/contract/sales/shop-routes'
import { type SubmitEvent, useState } from 'react'
import { api } from '#app/api/client.ts'
import { ItemCard } from '#app/features/shop/item-card.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { FieldGrid } from '#app/ui/field-grid.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { Modal } from '#app/ui/modal.tsx'
import { useReasonText } from '#app/ui/reason-text.ts'
import { readAmount } from './amount.ts'
import { useServerPage } from '../use-server-page.ts'
import { CommandRow, samplePlayer } from './command-row.tsx'
import { PictureInput } from './picture-input.tsx'
import classes from './shop.module.css'

type Props = {
  serverId: string
  shop: Shop
  item: ShopItem | null
  onClose: () => void
  onSaved: () => Promise<unknown>
}

let made = 0
const newCommand = (): ShopCommand => ({ stage: 'purchase', command: '', needs_player: true, wakes: false, answer: '' })
/** What stays of Markdown when its marks are left out: enough for a glance. */
const plain = (markdown: string) =>
  markdown
    .replace(/\]\([^)]*\)/g, '')
    .replace(/^\s*[-+]\s+/gm, '')
    .replace(/[*_`#>[\]]/g, '')
    .trim()
const number = (value: string) => (value.trim() === '' ? null : Number(value))

/** An item: what players read, what it costs, and what is sent to the game. */
export function ItemDialog({ serverId, shop, item, onClose, onSaved }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const textOf = useReasonText()
  const { server } = useServerPage()
  const { currency } = shop
  const [draft, setDraft] = useState(() => ({
    name: item?.name ?? '',
    description: item?.description ?? '',
    picture: item?.picture ?? '',
    category_id: item?.category_id ?? '',
    price: item === null ? '' : format.typed({ amount: item.price, currency }),
    days: item?.days?.toString() ?? '',
    per_player: item?.per_player?.toString() ?? '',
    overall: item?.overall?.toString() ?? '',
    giftable: item?.giftable ?? true,
    active: item?.active ?? true,
    confirmed: item?.confirmed ?? [],
  }))
  const [commands, setCommands] = useState(() =>
    (item?.commands ?? [newCommand()]).map((command) => ({ key: ++made, command })),
  )
  const [variables, setVariables] = useState(() =>
    (item?.variables ?? []).map((one) => ({ key: ++made, ...one, choices: one.choices.join(' ') })),
  )
  const [reasons, setReasons] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const change = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const findings = findInItem({ ...draft, commands: commands.map(({ command }) => command) })
  const sampleOf = (template: string) => {
    const chosen = Object.fromEntries(variables.map(({ name, choices }) => [name, choices.split(/\s+/)[0] || name]))
    try {
      return template.includes('{')
        ? fillCommand(template, {
            game: server.parameters.game,
            player: samplePlayer,
            uuid: '8667ba71-b85a-4004-af54-457a9734eed7',
            quantity: 1,
            order: '0190a0b0-1111-7222-8333-444455556666',
            chosen,
          })
        : undefined
    } catch {
      return undefined
    }
  }
  const field = (name: keyof typeof draft) => ({
    value: String(draft[name]),
    error: textOf(reasons[name]),
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  })

  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setFailure(undefined)
    const parsed = shopItemBody.safeParse({
      ...draft,
      category_id: draft.category_id === '' ? null : draft.category_id,
      price: readAmount(draft.price) ?? -1,
      days: number(draft.days),
      per_player: number(draft.per_player),
      overall: number(draft.overall),
      variables: variables.map(({ name, label, choices }) => ({
        name,
        label,
        choices: choices.split(/\s+/).filter(Boolean),
      })),
      commands: commands.map(({ command }) => command),
      confirmed: draft.confirmed.filter((one) => findings.includes(one)),
    })
    if (!parsed.success) {
      const found = parsed.error.issues.map(({ path, message }) => [path.slice(0, 2).join('.'), message] as const)
      setReasons(
        Object.fromEntries(found.toReversed().map(([name, reason]) => [name, name === 'price' ? 'amount' : reason])),
      )
      return
    }
    setReasons({})
    setBusy(true)
    try {
      if (item === null) await api(createShopItem, { params: { id: serverId }, body: parsed.data })
      else await api(changeShopItem, { params: { id: serverId, item_id: item.id }, body: parsed.data })
      await onSaved()
      onClose()
    } catch (error) {
      if (errorBodyOf(error) === undefined) throw error
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const unconfirmed = findings.some((one) => !draft.confirmed.includes(one))
  return (
    <Modal opened wide onClose={onClose} title={t(item === null ? 'shop.owner.addItem' : 'shop.owner.editItem')}>
      <DialogForm
        onSubmit={save}
        onCancel={onClose}
        action={t('settings.save')}
        busy={busy}
        failure={failure}
        why={unconfirmed ? t('shop.owner.confirmFirst') : undefined}
      >
        <div className={classes['withPreview']}>
          <div className={classes['form']}>
            <TextInput label={t('shop.owner.name')} maxLength={60} {...field('name')} />
            <Textarea
              label={t('shop.owner.description')}
              description={t('shop.owner.markdown')}
              autosize
              minRows={9}
              maxRows={14}
              maxLength={2000}
              {...field('description')}
            />
          </div>
          <section className={classes['form']} aria-label={t('shop.owner.preview')}>
            <ItemCard
              item={{
                name: draft.name.trim() || t('shop.owner.name'),
                picture: draft.picture === '' ? null : shopPictureUrl(serverId, draft.picture),
                excerpt: plain(draft.description),
                days: number(draft.days) || null,
                price: { amount: readAmount(draft.price) ?? 0, currency },
              }}
            />
            <PictureInput
              serverId={serverId}
              label={t('shop.owner.picture')}
              value={draft.picture}
              onChange={(picture) => change({ picture })}
              isShown
            />
          </section>
        </div>
        <FieldGrid>
          <TextInput
            label={t('shop.owner.price', { currency })}
            description={t('shop.owner.priceHint')}
            inputMode="decimal"
            {...field('price')}
          />
          <NativeSelect
            label={t('shop.owner.category')}
            data={[
              { value: '', label: t('shop.others') },
              ...shop.categories.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            {...field('category_id')}
          />
        </FieldGrid>
        <FieldGrid>
          <TextInput
            label={t('shop.owner.days')}
            description={t('shop.owner.daysHint')}
            inputMode="numeric"
            {...field('days')}
          />
          <TextInput
            label={t('shop.owner.perPlayer')}
            description={t('shop.owner.noLimit')}
            inputMode="numeric"
            {...field('per_player')}
          />
          <TextInput
            label={t('shop.owner.overall')}
            description={t('shop.owner.noLimit')}
            inputMode="numeric"
            {...field('overall')}
          />
        </FieldGrid>
        <div className={classes['switches']}>
          <Switch
            label={t('shop.owner.giftable')}
            checked={draft.giftable}
            onChange={(event) => change({ giftable: event.currentTarget.checked })}
          />
          <Switch
            label={t('shop.owner.active')}
            checked={draft.active}
            onChange={(event) => change({ active: event.currentTarget.checked })}
          />
        </div>
        <fieldset className={classes['fieldset']}>
          <legend>{t('shop.owner.commands')}</legend>
          <p className={classes['muted']}>{t('shop.owner.commandsHint')}</p>
          {commands.map(({ key, command }, index) => (
            <CommandRow
              key={key}
              place={index + 1}
              command={command}
              sample={sampleOf(command.command)}
              error={textOf(reasons[`commands.${index}`])}
              onChange={(next) => setCommands(commands.map((one) => (one.key === key ? { key, command: next } : one)))}
              onRemove={commands.length > 1 ? () => setCommands(commands.filter((one) => one.key !== key)) : null}
            />
          ))}
          <div>
            <Button
              size="small"
              icon={<IconPlus />}
              why={
                commands.length >= shopLimits.commands
                  ? t('shop.owner.full', { count: shopLimits.commands })
                  : undefined
              }
              onClick={() => setCommands([...commands, { key: ++made, command: newCommand() }])}
            >
              {t('shop.owner.addCommand')}
            </Button>
          </div>
        </fieldset>
        <fieldset className={classes['fieldset']}>
          <legend>{t('shop.owner.variables')}</legend>
          <p className={classes['muted']}>{t('shop.owner.variablesHint')}</p>
          {variables.map(({ key, name, label, choices }, index) => {
            const set = (part: object) =>
              setVariables(variables.map((one) => (one.key === key ? { ...one, ...part } : one)))
            return (
              <div key={key} className={classes['command']}>
                <FieldGrid>
                  <TextInput
                    label={t('shop.owner.variableName')}
                    value={name}
                    error={textOf(reasons[`variables.${index}`])}
                    onChange={(event) => set({ name: event.currentTarget.value })}
                  />
                  <TextInput
                    label={t('shop.owner.variableLabel')}
                    value={label}
                    onChange={(event) => set({ label: event.currentTarget.value })}
                  />
                </FieldGrid>
                <TextInput
                  label={t('shop.owner.choices')}
                  description={t('shop.owner.choicesHint')}
                  value={choices}
                  onChange={(event) => set({ choices: event.currentTarget.value })}
                />
                <div>
                  <Button
                    size="small"
                    look="quiet"
                    onClick={() => setVariables(variables.filter((one) => one.key !== key))}
                  >
                    {t('shop.owner.remove')}
                  </Button>
                </div>
              </div>
            )
          })}
          <div>
            <Button
              size="small"
              icon={<IconPlus />}
              why={
                variables.length >= shopLimits.variables
                  ? t('shop.owner.full', { count: shopLimits.variables })
                  : undefined
              }
              onClick={() => setVariables([...variables, { key: ++made, name: '', label: '', choices: '' }])}
            >
              {t('shop.owner.addVariable')}
            </Button>
          </div>
        </fieldset>
        {findings.length > 0 && (
          <div className={classes['warning']}>
            <p>{t('shop.owner.findings')}</p>
            {findings.map((one) => (
              <Checkbox
                key={one}
                label={t(`shop.findings.${one}.long`)}
                checked={draft.confirmed.includes(one)}
                onChange={(event) =>
                  change({
                    confirmed: event.currentTarget.checked
                      ? [...draft.confirmed, one]
                      : draft.confirmed.filter((other) => other !== one),
                  })
                }
              />
            ))}
          </div>
        )}
      </DialogForm>
    </Modal>
  )
}
