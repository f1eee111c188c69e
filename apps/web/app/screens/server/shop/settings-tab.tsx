import { Checkbox, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core'
import { shopSettingsBody } from '@wakestone/contract/sales/shop'
import { changeShop } from '@wakestone/contract/sales/shop-routes'
import { walletCurrencies } from '@wakestone/contract/values'
import { type SubmitEvent, useState } from 'react'
import { useRouteLoaderData } from 'react-router'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Address } from '#app/ui/address.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { FieldGrid } from '#app/ui/field-grid.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Money } from '#app/ui/money.tsx'
import { useReasonText } from '#app/ui/reason-text.ts'
import type { loader } from '#app/root.tsx'
import { PictureInput } from './picture-input.tsx'
import classes from './shop.module.css'
import type { ShopPart } from './shop.tsx'

/** What the game's maker says on selling, among other things. */
const rulesAddress = 'https://www.minecraft.net/usage-guidelines'

/** Whether it is open, who sells, and where the money goes. */
export function SettingsTab({ serverId, shop, isOwner, onChanged }: ShopPart) {
  const { t } = useTranslation()
  const format = useFormat()
  const origin = useRouteLoaderData<typeof loader>('root')?.origin ?? ''
  const textOf = useReasonText()
  const { open, title, intro, picture, currency, rules_confirmed } = shop
  const [draft, setDraft] = useState({ open, title, intro, picture, currency, rules_confirmed })
  const [seller, setSeller] = useState(shop.seller)
  const [reasons, setReasons] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const change = (part: Partial<typeof draft>) => (setSaved(false), setDraft((before) => ({ ...before, ...part })))
  const sellerField = (name: keyof typeof seller) => ({
    value: seller[name],
    error: textOf(reasons[`seller.${name}`]),
    onChange: (event: { currentTarget: { value: string } }) => {
      setSaved(false)
      setSeller({ ...seller, [name]: event.currentTarget.value })
    },
  })
  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setFailure(undefined)
    const parsed = shopSettingsBody.safeParse({ ...draft, seller })
    if (!parsed.success)
      return setReasons(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message])))
    setReasons({})
    setBusy(true)
    try {
      await api(changeShop, { params: { id: serverId }, body: parsed.data })
      await onChanged()
      setSaved(true)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes['cards']}>
      <Card title={t('shop.owner.money')}>
        <KeyValueList
          rows={[
            { key: t('shop.owner.held'), value: <Money value={shop.held} /> },
            { key: t('shop.owner.holdDays'), value: t('shop.days', { count: shop.hold_days }) },
            { key: t('shop.owner.share'), value: format.percent(shop.share_percent / 100) },
            { key: t('shop.owner.address'), value: <Address address={`${origin}${shop.path}`} kind="link" oneLine /> },
          ]}
        />
        <p className={classes['muted']}>{t('shop.owner.moneyText')}</p>
      </Card>
      <Card title={t('shop.owner.tabs.settings')}>
        <form className={classes['form']} noValidate onSubmit={(event) => void save(event)}>
          <TextInput
            label={t('shop.owner.title')}
            maxLength={60}
            value={draft.title}
            error={textOf(reasons['title'])}
            onChange={(event) => change({ title: event.currentTarget.value })}
          />
          <Textarea
            label={t('shop.owner.intro')}
            description={t('shop.owner.markdown')}
            autosize
            minRows={2}
            maxLength={2000}
            value={draft.intro}
            onChange={(event) => change({ intro: event.currentTarget.value })}
          />
          <PictureInput
            serverId={serverId}
            label={t('shop.owner.shopPicture')}
            value={draft.picture}
            onChange={(name) => change({ picture: name })}
          />
          <NativeSelect
            label={t('shop.owner.currency')}
            description={t('shop.owner.currencyHint')}
            data={[...walletCurrencies]}
            value={draft.currency}
            onChange={(event) => change({ currency: event.currentTarget.value as typeof currency })}
          />
          <fieldset className={classes['fieldset']}>
            <legend>{t('shop.owner.seller')}</legend>
            <p className={classes['muted']}>{t('shop.owner.sellerText')}</p>
            <TextInput label={t('shop.owner.sellerName')} maxLength={120} {...sellerField('name')} />
            <Textarea
              label={t('shop.owner.sellerAddress')}
              autosize
              minRows={2}
              maxLength={300}
              {...sellerField('address')}
            />
            <FieldGrid>
              <TextInput label={t('shop.owner.sellerEmail')} type="email" {...sellerField('email')} />
              <TextInput label={t('shop.owner.sellerTaxId')} maxLength={40} {...sellerField('tax_id')} />
            </FieldGrid>
          </fieldset>
          <Checkbox
            label={t('shop.owner.rules')}
            description={
              <>
                {t('shop.owner.rulesText')}{' '}
                <a href={rulesAddress} target="_blank" rel="noopener">
                  {t('shop.owner.rulesLink')}
                </a>
              </>
            }
            checked={draft.rules_confirmed}
            onChange={(event) => change({ rules_confirmed: event.currentTarget.checked })}
          />
          <Switch
            label={t('shop.owner.open')}
            checked={draft.open}
            onChange={(event) => change({ open: event.currentTarget.checked })}
          />
          {failure !== undefined && <ErrorNote error={failure} />}
          {isSaved && <p role="status">{t('shop.owner.saved')}</p>}
          <div>
            <Button type="submit" look="primary" loading={busy} why={isOwner ? undefined : t('shop.owner.ownerOnly')}>
              {t('settings.save')}
            </Button>
          </div>
        </form>
      </Card>
    </div>
  )
}
