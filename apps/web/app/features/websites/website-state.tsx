import type { Craftum } from '@wakestone/contract/sales/craftum'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Badge } from '#app/ui/state-badge.tsx'

/** Whether strangers see a website, and if not why. */
function websiteState({ online, expires, published_at, withdrawn_at }: Craftum, now: number) {
  if (online) return 'online'
  if (withdrawn_at !== null) return 'withdrawn'
  if (expires !== null && Date.parse(expires) <= now) return 'expired'
  return published_at === null ? 'draft' : 'stopped'
}

const looks = {
  online: { colour: 'moss', shape: 'filled' },
  draft: { colour: 'muted', shape: 'ring' },
  stopped: { colour: 'muted', shape: 'square' },
  expired: { colour: 'ember', shape: 'square' },
  withdrawn: { colour: 'muted', shape: 'square' },
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

/** When the contract of a website was withdrawn from, and until when it is kept; undefined for every other one. */
export function useWithdrawnNote(): (website: Craftum) => string | undefined {
  const { t } = useTranslation()
  const format = useFormat()
  return (website) => {
    const { withdrawn_at: at, expires } = website
    if (at === null || expires === null) return undefined
    return t('websites.withdrawnOn', { date: format.date(at), until: format.date(websiteKeptUntil(website, expires)) })
  }
}

const KEPT_MS = 14 * 86_400_000

/** Until when a website that has ended is kept; `expires` is when. */
export const websiteKeptUntil = ({ cleanup_date }: Craftum, expires: string) =>
  new Date(cleanup_date ?? Date.parse(expires) + KEPT_MS)
