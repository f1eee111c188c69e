import { useTranslation } from '#app/i18n/texts.tsx'
import { useLocation, useNavigation } from 'react-router'
import { FullScreenLoader } from '#app/ui/loader.tsx'

const isServer = (path: string) => /^\/s\/[^/]+/.test(path)
const isPanel = (path: string) =>
  isServer(path) || /^\/[a-z]{2}\/(?:s|create|wallets|payu|paypal|paynow|admin|user)(?:\/|$)/.test(path)

/** Says what is on its way when a visitor enters the panel, or a server of it. */
export function LoadingPanel() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const next = useNavigation().location?.pathname
  const isEntering = next !== undefined && isPanel(next) && !isPanel(pathname)
  const isOpening = next !== undefined && isServer(next) && !isServer(pathname)
  return <FullScreenLoader text={isOpening ? t('loading.server') : isEntering ? t('loading.authorizing') : null} />
}
