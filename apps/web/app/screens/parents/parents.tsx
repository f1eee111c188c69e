import { getWordPage } from '@wakestone/contract/site/documents-routes'
import { listProducts } from '@wakestone/contract/sales/billings-routes'
import { useTranslation } from '#app/i18n/texts.tsx'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { WordPage } from '#app/features/words/word-page.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { PixelFigure } from '#app/ui/pixel-figure.tsx'
import type { Route } from './+types/parents'
import classes from './parents.module.css'

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, language } = context.get(webContext)
  const [page, products] = await Promise.all([
    api(getWordPage, { params: { slug: 'parents' }, query: { language: chooseLanguage(request, language) } }),
    // Without prices the page still says the rest.
    api(listProducts, {}).catch(() => []),
  ])
  const monthly = products
    .filter(({ type }) => type === 'GAME_SERVER')
    .flatMap(({ prices }) => prices.filter(({ period, gross_price }) => period === '720h' && gross_price.amount > 0))
    .map(({ gross_price }) => gross_price)
  return { page, monthly }
}

/** What parents want to know first, in figures that are those of now. */
export default function Parents({ loaderData, matches }: Route.ComponentProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { page, monthly } = loaderData
  const currency = matches[0].loaderData.location?.currency ?? 'EUR'
  const cheapest = monthly
    .filter((price) => price.currency === currency)
    .toSorted((a, b) => a.amount - b.amount)
    .at(0)
  return (
    <>
      <PageMeta page="parents" isPublic />
      <WordPage
        page={page}
        aside={
          <div className={classes['glance']}>
            <div className={classes['figure']}>
              <PixelFigure name="sheep" pixel={7} />
            </div>
            <Card title={t('parents.glance')}>
              <KeyValueList
                rows={[
                  { key: t('parents.start'), value: format.price({ amount: 0, currency }) },
                  ...(cheapest === undefined
                    ? []
                    : [{ key: t('parents.paid'), value: t('parents.from', { price: format.price(cheapest) }) }]),
                  { key: t('parents.contract'), value: t('parents.contractValue') },
                  { key: t('parents.ads'), value: t('parents.adsValue') },
                  { key: t('parents.debts'), value: t('parents.debtsValue') },
                ]}
              />
            </Card>
          </div>
        }
      />
    </>
  )
}
