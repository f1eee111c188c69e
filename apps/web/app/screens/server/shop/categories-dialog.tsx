import { ActionIcon, TextInput } from '@mantine/core'
import { IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { type Shop, shopLimits } from '@wakestone/contract/sales/shop'
import { changeShopCategories } from '@wakestone/contract/sales/shop-routes'
import { type SubmitEvent, useState } from 'react'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import classes from './shop.module.css'

type Props = { serverId: string; shop: Shop; onClose: () => void; onSaved: () => Promise<unknown> }
let made = 0

/** Names and order of the categories. */
export function CategoriesDialog({ serverId, shop, onClose, onSaved }: Props) {
  const { t } = useTranslation()
  const [rows, setRows] = useState(() =>
    shop.categories.map(({ id, name }) => ({ key: ++made, id: id as string | null, name })),
  )
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const change = (key: number, name: string) => setRows(rows.map((row) => (row.key === key ? { ...row, name } : row)))
  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    try {
      const categories = rows.filter(({ name }) => name.trim() !== '').map(({ id, name }) => ({ id, name }))
      await api(changeShopCategories, { params: { id: serverId }, body: { categories } })
      await onSaved()
      onClose()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={t('shop.owner.categories')}>
      <DialogForm onSubmit={save} onCancel={onClose} action={t('settings.save')} busy={busy} failure={failure}>
        {rows.length === 0 && <p className={classes['muted']}>{t('shop.owner.noCategories')}</p>}
        {rows.map(({ key, name }, index) => (
          <div key={key} className={classes['row']}>
            <TextInput
              style={{ flex: 1 }}
              aria-label={t('shop.owner.categoryName', { place: index + 1 })}
              value={name}
              maxLength={60}
              onChange={(event) => change(key, event.currentTarget.value)}
            />
            <ActionIcon
              variant="subtle"
              aria-label={t('shop.owner.moveUp', { place: index + 1 })}
              disabled={index === 0}
              onClick={() => setRows(rows.with(index, rows[index - 1]!).with(index - 1, rows[index]!))}
            >
              <IconArrowUp size={18} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              aria-label={t('shop.owner.removePlace', { place: index + 1 })}
              onClick={() => setRows(rows.filter((row) => row.key !== key))}
            >
              <IconX size={18} />
            </ActionIcon>
          </div>
        ))}
        <div>
          <Button
            size="small"
            icon={<IconPlus />}
            why={
              rows.length >= shopLimits.categories ? t('shop.owner.full', { count: shopLimits.categories }) : undefined
            }
            onClick={() => setRows([...rows, { key: ++made, id: null, name: '' }])}
          >
            {t('shop.owner.addCategory')}
          </Button>
        </div>
      </DialogForm>
    </Modal>
  )
}
