import { IconArrowLeft } from '@tabler/icons-react'
import { ApiError } from '@wakestone/contract/client'
import { createShopOrder, getPublicShop, quoteShopOrder } from '@wakestone/contract/sales/shop-front-routes'
import { shopLimits, shopOrderBody, shopQuoteBody } from '@wakestone/contract/sales/shop'
import { data, Link, redirect, useSearchParams } from 'react-router'
import { takeForm } from '#app/features/forms/take-form.ts'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { ItemPicture } from '#app/features/shop/item-picture.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { Money } from '#app/ui/money.tsx'
import type { Route } from './+types/item'
import { orderAnchor, readChoice, refusalOf, refusalOfIssue } from './choice.ts'
import { ChoiceForm } from './choice-form.tsx'
import { PayForm } from './pay-form.tsx'
import { OwnerText } from './owner-text.tsx'
import { ShopFrame } from './shop-frame.tsx'
import classes from './shop.module.css'
import { NoShop } from './shop.tsx'

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { api } = context.get(webContext)
  const { searchParams } = new URL(request.url)
  try {
    const shop = await api(getPublicShop, { params: { server: params.server } })
    const item = shop.items.find(({ id }) => id === params.itemId)
    if (item === undefined) return data({ found: null }, { status: 404 })
    const choice = readChoice(searchParams, item)
    const parsed = choice === null ? undefined : shopQuoteBody.safeParse(choice)
    if (parsed?.success === false)
      return data({ found: { shop, item, quote: null, refusal: refusalOfIssue(parsed.error.issues[0]) } })
    if (parsed === undefined) return data({ found: { shop, item, quote: null, refusal: null } })
    try {
      const quote = await api(quoteShopOrder, { params: { server: params.server }, body: parsed.data })
      return data({ found: { shop, item, quote, refusal: null } })
    } catch (error) {
      const body = errorBodyOf(error)
      if (body === undefined || (error instanceof ApiError && error.status >= 500)) throw error
      return data({ found: { shop, item, quote: null, refusal: refusalOf(body) } })
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return data({ found: null }, { status: 404 })
  }
}

const payBody = shopOrderBody.pick({ email: true, provider: true, begins_now: true })

/** Orders what the address says; the same with scripts and without. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { api, language: guess } = context.get(webContext)
  const language = chooseLanguage(request, guess)
  const { searchParams } = new URL(request.url)
  const shop = await api(getPublicShop, { params: { server: params.server } })
  const item = shop.items.find(({ id }) => id === params.itemId)
  const choice = item === undefined ? null : readChoice(searchParams, item)
  const form = await request.clone().formData()
  const total = Number(form.get('total'))
  const key = form.get('key')
  let target: string | undefined
  const answer = await takeForm(request, {
    schema: payBody.extend({ provider: payBody.shape.provider.catch(null) }),
    fields: { email: '', provider: '', begins_now: false },
    async send(body) {
      const made = await api(createShopOrder, {
        params: { server: params.server },
        body: { ...shopQuoteBody.parse(choice), ...body, language, total },
        ...(typeof key === 'string' && /^[\w-]{8,64}$/.test(key) && { idempotencyKey: key }),
      })
      target = `/${language}/shop/order/${made.id}?key=${made.key}${made.redirect_url === null ? '' : '&go=1'}`
    },
  })
  return target === undefined ? data({ answer }, { status: 400 }) : redirect(target, 303)
}

/** `/{lang}/shop/{server}/{item}`: for whom, how many, what it costs, and how it is paid. */
export default function ShopItemPage({ loaderData: { found }, actionData, params }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  if (found === null) return <NoShop />
  const { shop, item, quote, refusal } = found
  return (
    <ShopFrame
      title={shop.title}
      picture={shop.picture}
      to={path(`/shop/${params.server}`)}
      status={shop.status}
      seller={shop.seller}
      isNarrow
    >
      <PageMeta page="shopItem" title={`${item.name} · ${shop.title}`} isOwn />
      <p>
        <Link to={path(`/shop/${params.server}`)} className={classes['up']}>
          <IconArrowLeft size={16} aria-hidden="true" />
          {t('shop.all')}
        </Link>
      </p>
      <div className={classes['about']}>
        <ItemPicture item={item} isLarge />
        <div className={classes['words']}>
          <h1>{item.name}</h1>
          <p className={classes['price']}>{item.price.amount === 0 ? t('shop.free') : <Money value={item.price} />}</p>
          {item.days !== null && <p className={classes['muted']}>{t('shop.daysLong', { count: item.days })}</p>}
          {item.needs_player && <p className={classes['muted']}>{t('shop.needsPlayer')}</p>}
        </div>
      </div>
      <OwnerText html={item.html} text={item.description} />
      {refusal !== null && refusal.field === undefined && (
        <div id={orderAnchor} tabIndex={-1} className={classes['reached']}>
          <ErrorNote error={refusal.code} />
        </div>
      )}
      {item.sold_out ? (
        <p>{t('shop.soldOut')}</p>
      ) : (
        <ChoiceForm item={item} search={search} isOpen={quote === null} most={shopLimits.quantity} refusal={refusal} />
      )}
      {quote !== null && <PayForm shop={shop} quote={quote} search={search} answer={actionData?.answer ?? undefined} />}
    </ShopFrame>
  )
}
