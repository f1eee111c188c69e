import '#app/ui/styles.ts'
import { ColorSchemeScript, MantineProvider, mantineHtmlProps } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useContext, useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import {
  Links,
  Outlet,
  useLocation,
  ScrollRestoration,
  useMatches,
  useRevalidator,
  useRouteLoaderData,
} from 'react-router'
import interLatin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import interPolish from '@wakestone/websites/fonts/inter-polish.woff2?url'
import { canOpenAdminMenu } from '@wakestone/contract/capabilities'
import { defaultFlagValues } from '@wakestone/contract/site/flags'
import { locationInfo } from '@wakestone/contract/accounts/users-routes'
import { buildInfo } from '#app/build-info.ts'
import { readAdminSwitches } from '#app/features/admin/admin-switches.ts'
import { readConsent } from '#app/features/consent/consent.ts'
import { ConsentRegion } from '#app/features/consent/consent-region.tsx'
import { useScriptWithConsent } from '#app/features/consent/use-consent.ts'
import { loadFlagValues } from '#app/features/flags/load-flag-values.ts'
import { RedirectModalHost } from '#app/features/announcement/redirect-modal-host.tsx'
import { RouteAlertHost } from '#app/features/route-alert/route-alert-host.tsx'
import { useArrival } from '#app/features/session/use-arrival.ts'
import { shownUser } from '#app/features/session/shown-user.ts'
import { rememberVisitSource } from '#app/features/session/visit-source.ts'
import { ViewAsBanner } from '#app/features/view-as/view-as-banner.tsx'
import { LoadingPanel } from '#app/features/shell/loading-panel.tsx'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { useFocusOnNavigation } from '#app/features/shell/use-focus-on-navigation.ts'
import { readCookie, writePreferenceCookie } from '#app/i18n/cookies.ts'
import { textAddress } from '#app/i18n/text-addresses.ts'
import { readTimeZone, timeZoneCookie } from '#app/i18n/time-zone.ts'
import { webContext } from '#app/load-context.ts'
import { LateScripts } from '#app/ui/late-scripts.tsx'
import { NonceContext } from '#app/ui/nonce.ts'
import { restoreEarlyTyping } from '#app/ui/early-typing.ts'
import { theme } from '#app/ui/theme.ts'
import { ThemeVariables } from '#app/ui/theme-variables.tsx'
import { Toasts } from '#app/ui/toasts.tsx'
import { UnexpectedError } from '#app/ui/unexpected-error.tsx'
import type { Route } from './+types/root'

const FloatingPanel = lazy(() => import('#app/features/admin/floating-panel.tsx'))

export async function loader({ request, context }: Route.LoaderArgs) {
  const web = context.get(webContext)
  const { api, user, language: visitors, languages, site } = web
  const language = chooseLanguage(request, visitors)
  const url = new URL(request.url)
  const cookies = request.headers.get('cookie')
  // The page is worth showing without the tax rate, and with every flag off.
  const [location, flags] = await Promise.all([
    api(locationInfo, {}).catch(() => null),
    loadFlagValues(web, language).catch(defaultFlagValues),
  ])
  const switches = readAdminSwitches(cookies)
  return {
    user: shownUser(user, switches.preview),
    /** Of the administrators' panel; null for everybody else. */
    adminSwitches: canOpenAdminMenu(user?.user_capabilities ?? {}) ? switches : null,
    language,
    languages,
    origin: url.origin,
    timeZone: readTimeZone(cookies),
    location,
    flags,
    site,
    build: buildInfo,
    consent: readConsent(cookies),
  }
}

export function Layout({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation()
  const data = useRouteLoaderData<typeof loader>('root')
  const language = data?.language ?? 'en'
  return (
    <html lang={i18n.language} {...mantineHtmlProps}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0e1116" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf9f6" />
        <ThemeScript />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href={`/manifest/${language}.webmanifest`} />
        <link rel="preload" href={interLatin} as="font" type="font/woff2" crossOrigin="anonymous" />
        {language === 'pl' && (
          <link rel="preload" href={interPolish} as="font" type="font/woff2" crossOrigin="anonymous" />
        )}
        <Links />
      </head>
      <body>
        <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false}>
          <ThemeVariables />
          {children}
          <Toasts />
        </MantineProvider>
        <ScrollRestoration />
        <LateScripts texts={textAddress(language)} />
      </body>
    </html>
  )
}

/** Sets the theme before the first paint; follows the system until someone chooses. */
function ThemeScript() {
  const nonce = useContext(NonceContext)
  return <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} suppressHydrationWarning />
}

export default function Root() {
  useEffect(restoreEarlyTyping, [])
  useOwnTimeZone()
  useAnalytics()
  useVisitSource()
  useArrival()
  useFocusOnNavigation()
  const { pathname, search } = useLocation()
  const isWidget = /^\/[a-z]{2}\/mapview\//.test(pathname) && new URLSearchParams(search).has('widget')
  // Framed by other pages: nothing of ours but the map.
  if (isWidget) return <Outlet />
  return (
    <>
      <Outlet />
      <ConsentRegion />
      <RouteAlertHost />
      <RedirectModalHost />
      <LoadingPanel />
      <AdminRegion />
    </>
  )
}

/** The administrators' panel, or, while one sees the site as somebody else, what says so. */
function AdminRegion() {
  const data = useRouteLoaderData<typeof loader>('root')
  if (data?.user == null) return null
  if (data.user.actor !== undefined) return <ViewAsBanner user={data.user} until={data.user.actor.until} />
  if (data.adminSwitches === null) return null
  return (
    <Suspense>
      <FloatingPanel switches={data.adminSwitches} userId={data.user.id} />
    </Suspense>
  )
}

/** Visits are measured where customers come, not on copies of the site. */
function useAnalytics(): void {
  const data = useRouteLoaderData<typeof loader>('root')
  const [isOrigin, setOrigin] = useState(false)
  useEffect(() => setOrigin(location.origin === data?.origin), [data?.origin])
  useScriptWithConsent(isOrigin ? data?.site.analyticsScript : undefined, 'analytics_storage')
}

function useVisitSource(): void {
  const marker = useRouteLoaderData<typeof loader>('root')?.site.partnerMarker
  useEffect(() => rememberVisitSource(location.search, marker), [marker])
}

/** Tells the server the visitor's time zone, for mails too, and has the times of a first visit written anew; only the panel has any. */
function useOwnTimeZone(): void {
  const { revalidate } = useRevalidator()
  const data = useRouteLoaderData<typeof loader>('root')
  const shown = data?.timeZone
  const user = data?.user
  const hasTimes = useMatches().some(({ id }) => id === 'screens/panel-layout')
  useEffect(() => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone
    if (!hasTimes) return
    if (user != null && user.time_zone !== own)
      void import('#app/features/session/tell-time-zone.ts').then(({ tellTimeZone }) => tellTimeZone(own, user))
    if (own === shown) return
    if (readCookie(document.cookie, timeZoneCookie) === own) return
    writePreferenceCookie(timeZoneCookie, own)
    void revalidate()
  }, [shown, user, hasTimes, revalidate])
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <UnexpectedError error={error} />
}
