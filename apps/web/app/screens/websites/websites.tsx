import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { IconExternalLink, IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { locationInfo } from '@wakestone/contract/accounts/users-routes'
import { hasCraftumPermission } from '@wakestone/contract/capabilities'
import type { Craftum } from '@wakestone/contract/sales/craftum'
import type { Currency } from '@wakestone/contract/values'
import { prefetch } from '#app/api/prefetch.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { mainWalletOf } from '#app/features/shell/main-wallet.ts'
import { websiteCostsQuery } from '#app/features/websites/website-costs-query.ts'
import { websitesQuery } from '#app/features/websites/website-queries.ts'
import { useWithdrawnNote, websiteKeptUntil, WebsiteState } from '#app/features/websites/website-state.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/websites'
import classes from './websites.module.css'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api } = context.get(webContext)
  const location = await api(locationInfo, {}).catch(() => undefined)
  const currency = mainWalletOf(user.wallets, location?.currency)?.currency ?? 'PLN'
  return { currency, state: await prefetch(websitesQuery(user.id, api), websiteCostsQuery({ currency }, api)) }
}

export default function Websites({ loaderData }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.state}>
      <PageMeta page="websites" />
      <WebsitesList currency={loaderData.currency} />
    </HydrationBoundary>
  )
}

/** `/{lang}/c`: the websites of the user. */
function WebsitesList({ currency }: { currency: Currency }) {
  const { t } = useTranslation()
  const path = usePath()
  const user = useSignedInUser()
  const { data: list, isError, error, isRefetchError, refetch } = useQuery(websitesQuery(user.id))
  const create = hasCraftumPermission(user.user_capabilities) ? (
    <LinkButton look="primary" to={path('/offers/craftum/create')} icon={<IconPlus />}>
      {t('websites.create')}
    </LinkButton>
  ) : undefined
  const costs = useWebsiteCosts(currency)
  const isFilled = list !== undefined && list.length > 0
  return (
    <>
      <PageHeader
        title={t('websites.title')}
        text={t('websites.text')}
        {...(isFilled && create !== undefined && { actions: create })}
      />
      {list === undefined ? (
        isError ? (
          <ErrorState error={error} title={t('websites.errorTitle')} onRetry={() => void refetch()} />
        ) : (
          <ul className={classes['list']} aria-busy="true" aria-label={t('websites.title')}>
            {Array.from({ length: 2 }, (_, index) => (
              <li key={index} className={classes['row']}>
                <Skeleton width={180} height={24} />
                <Skeleton width={240} height={20} />
              </li>
            ))}
          </ul>
        )
      ) : list.length === 0 ? (
        <EmptyState
          title={t('websites.emptyTitle')}
          text={t('websites.emptyText')}
          note={[costs, create === undefined && t('websites.notOffered')].filter(Boolean).join(' ') || undefined}
          action={
            create ?? (
              <LinkButton
                look="primary"
                to={path(
                  `/account/support/new?${new URLSearchParams({ topic: 'offer', subject: t('websites.askSubject') })}`,
                )}
              >
                {t('websites.ask')}
              </LinkButton>
            )
          }
        />
      ) : (
        <>
          {isRefetchError && <ErrorNote error={error} title={t('websites.errorTitle')} />}
          <ul className={classes['list']} aria-label={t('websites.title')}>
            {list.map((website) => (
              <WebsiteRow key={website.id} website={website} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** What a website costs, in the currency that the visitor pays in. */
function useWebsiteCosts(currency: Currency): string | undefined {
  const { t } = useTranslation()
  const format = useFormat()
  const { data } = useQuery(websiteCostsQuery({ currency }))
  const cost = data?.[0]
  if (cost === undefined) return undefined
  return t('websites.costs', {
    price: format.money(cost.gross_price),
    period: t(`create.periods.${cost.period}`),
    tax: t('money.vatWithin', {
      tax: format.money(cost.tax),
      rate: format.percent(cost.country_tax_rate.vat_rate),
    }),
  })
}

function WebsiteRow({ website }: { website: Craftum }) {
  const { t } = useTranslation()
  const path = usePath()
  const format = useFormat()
  const { id, name, address, online, expires } = website
  const isOver = expires !== null && Date.parse(expires) <= Date.now()
  const withdrawn = useWithdrawnNote()(website)
  const until =
    withdrawn ??
    (expires === null
      ? t('servers.never')
      : isOver
        ? t('websites.deletedOn', { date: format.date(websiteKeptUntil(website, expires)) })
        : t('websites.paidUntil', { date: format.date(expires) }))
  return (
    <li className={classes['row']}>
      <div className={classes['who']}>
        <Link to={path(`/c/${id}`)} className={classes['name']}>
          {name}
        </Link>
        <WebsiteState website={website} size="small" />
      </div>
      <div className={classes['address']}>
        {online ? (
          <a href={address} target="_blank" rel="noopener">
            {address} <IconExternalLink size={16} aria-hidden />
          </a>
        ) : (
          <span className={classes['muted']}>{address}</span>
        )}
      </div>
      <span className={isOver ? classes['low'] : classes['muted']}>{until}</span>
      <div className={classes['actions']}>
        <LinkButton size="small" to={path(`/c/${id}/payments`)} aria-label={t('websites.renewOf', { name })}>
          {t('websites.renew')}
        </LinkButton>
        <LinkButton size="small" to={path(`/c/${id}`)} aria-label={t('websites.editOf', { name })}>
          {t('websites.edit')}
        </LinkButton>
      </div>
    </li>
  )
}
