import { useTranslation } from '#app/i18n/texts.tsx'
import { Form, redirect, useRouteLoaderData, useSearchParams } from 'react-router'
import { countryCookie, currencyCookie, isCountry } from '@wakestone/contract/countries'
import { useCountries } from '#app/features/location/use-country-name.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { isOwnPath } from '#app/features/session/came-from.ts'
import type { loader } from '#app/root.tsx'
import { Button } from '#app/ui/button.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import type { Route } from './+types/country'
import classes from './country.module.css'

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
export default function Country() {
  const { t } = useTranslation()
  const countries = useCountries()
  const [search] = useSearchParams()
  const visitor = useRouteLoaderData<typeof loader>('root')?.location
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
