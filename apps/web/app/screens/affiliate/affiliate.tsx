import { lazy, Suspense } from 'react'
import { getWordPage } from '@wakestone/contract/site/documents-routes'
import { useTranslation } from '#app/i18n/texts.tsx'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useUser } from '#app/features/session/use-user.ts'
import { useSite } from '#app/features/site/use-site.ts'
import { WordPage } from '#app/features/words/word-page.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/affiliate'
import classes from './affiliate.module.css'

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, language } = context.get(webContext)
  return api(getWordPage, { params: { slug: 'affiliate' }, query: { language: chooseLanguage(request, language) } })
}

/** Weighs more than all the rest of the page, and is for those who are signed in. */
const MemberPart = lazy(() => import('./member-part.tsx'))

/** A round sum to reckon with: ten friends who top up this much a month, in minor units. */
const exampleTopUp = { PLN: 4000, EUR: 1000, USD: 1000 }
const friends = 10

export default function Affiliate({ loaderData, matches }: Route.ComponentProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const user = useUser()
  const currency = matches[0].loaderData.location?.currency ?? 'EUR'
  const { percent, months } = useSite().affiliate
  const share = percent / 100
  const monthly = Math.floor(exampleTopUp[currency] * share) * friends
  return (
    <>
      <PageMeta page="affiliate" isPublic />
      {user !== null && (
        <Suspense fallback={<Skeleton height={260} />}>
          <MemberPart />
        </Suspense>
      )}
      <WordPage
        page={loaderData}
        aside={
          <Card className={classes['example'] ?? ''} title={t('affiliate.example')}>
            <KeyValueList
              rows={[
                { key: t('affiliate.friends'), value: format.number(friends) },
                {
                  key: t('affiliate.topUp'),
                  value: format.price({ amount: exampleTopUp[currency], currency }),
                },
                { key: t('affiliate.share'), value: format.percent(share) },
                { key: t('affiliate.monthly'), value: format.price({ amount: monthly, currency }) },
              ]}
            />
            <p className={classes['sum']}>
              <span>{t('affiliate.inAll', { count: months })}</span>
              <strong>{format.price({ amount: monthly * months, currency })}</strong>
            </p>
          </Card>
        }
      />
    </>
  )
}
