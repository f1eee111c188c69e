import { Link } from 'react-router'
import { keptUntil } from '#app/features/servers/time-left.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { Trans } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { useServerPage } from './use-server-page.ts'

/** That the contract was withdrawn from, and until when the files can be downloaded; nothing of any other server. */
export function WithdrawnNote({ className }: { className: string | undefined }) {
  const format = useFormat()
  const { server, identity } = useServerPage()
  const user = useSignedInUser()
  if (server.withdrawn_at === null || server.expires === null) return null
  const own = server.owner_id === user.id ? 'own' : 'shared'
  return (
    <p className={className}>
      <Trans
        i18nKey={`withdraw.ended.${server.files_deleted_at === null ? own : 'gone'}`}
        values={{ date: format.date(server.withdrawn_at), until: format.date(keptUntil(server, server.expires)) }}
        components={{ files: <Link to={`/s/${identity}/files`} /> }}
      />
    </p>
  )
}
