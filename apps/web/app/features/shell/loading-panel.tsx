import { useTranslation } from '#app/i18n/texts.tsx'
import { useMatches, useNavigation } from 'react-router'
import { FullScreenLoader } from '#app/ui/loader.tsx'

const isServer = (path: string) => /^\/s\/[^/]+/.test(path)
const isPanel = (path: string) =>
  isServer(path) || /^\/[a-z]{2}\/(?:s|create|wallets|payu|paypal|paynow|admin|user)(?:\/|$)/.test(path)

/** Says what is on its way when a visitor enters the panel from outside; within it, its frame stays. */
export function LoadingPanel() {
  const { t } = useTranslation()
  const isInside = useMatches().some(({ id }) => id === 'screens/panel-layout')
  const next = useNavigation().location?.pathname
  const isEntering = next !== undefined && isPanel(next) && !isInside
  return <FullScreenLoader text={isEntering ? t(isServer(next) ? 'loading.server' : 'loading.authorizing') : null} />
}
