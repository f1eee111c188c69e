import type { Craftum } from '@wakestone/contract/sales/craftum'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Badge } from '#app/ui/state-badge.tsx'

/** Whether strangers see a website, and if not why. */
export function websiteState({ online, expires, published_at }: Craftum, now: number) {
  if (online) return 'online'
  if (expires !== null && Date.parse(expires) <= now) return 'expired'
  return published_at === null ? 'draft' : 'stopped'
}

const looks = {
  online: { colour: 'moss', shape: 'filled' },
  draft: { colour: 'muted', shape: 'ring' },
  stopped: { colour: 'muted', shape: 'square' },
  expired: { colour: 'ember', shape: 'square' },
} as const

export function WebsiteState({ website, size }: { website: Craftum; size?: 'small' }) {
  const { t } = useTranslation()
  const state = websiteState(website, Date.now())
  return (
    <Badge {...looks[state]} {...(size !== undefined && { size })}>
      {t(`websites.states.${state}`)}
    </Badge>
  )
}
