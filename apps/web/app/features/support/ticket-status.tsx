import type { TicketStatus } from '@wakestone/contract/values'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Badge, type BadgeColour, type BadgeShape } from '#app/ui/state-badge.tsx'

const looks: Record<TicketStatus, { colour: BadgeColour; shape: BadgeShape }> = {
  NEW: { colour: 'lantern', shape: 'filled' },
  OPEN: { colour: 'lantern', shape: 'ring' },
  PENDING: { colour: 'dusk', shape: 'ring' },
  SOLVED: { colour: 'moss', shape: 'filled' },
  CLOSED: { colour: 'muted', shape: 'square' },
}

/** What has become of a ticket, in the eyes of its writer or of those who answer. */
export function TicketStatusBadge({ status, forDesk = false }: { status: TicketStatus; forDesk?: boolean }) {
  const { t } = useTranslation()
  return (
    <Badge {...looks[status]} size="small">
      {t(forDesk ? `desk.statuses.${status}` : `tickets.statuses.${status}`)}
    </Badge>
  )
}
