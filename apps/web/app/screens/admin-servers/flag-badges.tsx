import { type AdminServer, type ServerFlag, serverFlags } from '@wakestone/contract/admin/servers'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Badge } from '#app/ui/state-badge.tsx'

const looks = {
  disabled: { colour: 'ember', shape: 'triangle' },
  hidden: { colour: 'muted', shape: 'ring' },
  testing: { colour: 'dusk', shape: 'ring' },
  sponsored: { colour: 'lantern', shape: 'filled' },
} as const satisfies Record<ServerFlag, unknown>

/** Which of the administrators' switches are on; nothing where none is. */
export function FlagBadges({ flags }: { flags: AdminServer['flags'] }) {
  const { t } = useTranslation()
  return serverFlags
    .filter((flag) => flags[flag])
    .map((flag) => (
      <Badge key={flag} size="small" {...looks[flag]}>
        {t(`adminServers.flags.${flag}`)}
      </Badge>
    ))
}
