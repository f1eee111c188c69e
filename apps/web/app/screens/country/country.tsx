import { useTranslation } from '#app/i18n/texts.tsx'
import { Form, redirect, useRouteLoaderData, useSearchParams } from 'react-router'
import { countryCookie, currencyCookie, isCountry } from '@wakestone/contract/countries'
import { listCountries } from '#app/features/location/list-countries.ts'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { isOwnPath } from '#app/features/session/came-from.ts'
import { webContext } from '#app/load-context.ts'
import type { loader as rootLoader } from '#app/root.tsx'
import { Button } from '#app/ui/button.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import type { Route } from './+types/country'
import classes from './country.module.css'

export function loader({ request, context }: Route.LoaderArgs) {
  return { countries: listCountries(chooseLanguage(request, context.get(webContext).language)) }
}

export async function action({ request, params }: Route.ActionArgs) {
  const form = await request.formData()
  const code = String(form.get('country'))
  const back = String(form.get('back'))
  const headers = new Headers()
  if (isCountry(code)) {
    const shared = `Path=/; SameSite=Lax${new URL(request.url).protocol === 'https:' ? '; Secure' : ''}`
    headers.append('set-cookie', `${countryCookie}=${code}; Max-Age=31536000; ${shared}`)
    headers.append('set-cookie', `${currencyCookie}=; Max-Age=0; ${shared}`)
  }
  return redirect(isOwnPath(back) ? back : `/${params.lang}`, { status: 303, headers })
}

/** `/{lang}/country`: the choice of a country for browsers without scripts, to which the header leads. */
export default function Country({ loaderData: { countries } }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const visitor = useRouteLoaderData<typeof rootLoader>('root')?.location
  return (
    <div className={classes['page']}>
      <PageMeta page="country" />
      <PageHeader title={t('country.title')} text={t('country.text')} />
      <Form method="post" reloadDocument>
        <input type="hidden" name="back" value={search.get('back') ?? ''} />
        <label htmlFor="country">{t('country.label')}</label>
        <select id="country" name="country" defaultValue={visitor?.country_code}>
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
        <Button type="submit" look="primary">
          {t('country.save')}
        </Button>
      </Form>
    </div>
  )
}
