import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getEngine, returnEngine } from '@wakestone/contract/servers/engine-routes'
import { listProcesses } from '@wakestone/contract/servers/operations-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { type Mend, mendsOf } from '@wakestone/minecraft/crash-mends'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { engineName } from '#app/features/servers/server-names.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { type CrashLike, culpritOf, knownTag } from './crash-facts.ts'
import classes from './crash.module.css'
import { placesOf } from './mend-places.ts'

/** More would be a lecture. */
const SHOWN = 2

type Props = { crash: CrashLike; server: Server; identity: string; canManage: boolean }

/** The one or two things that help against a crash, most promising first: done by a button where the product can. */
export function CrashMends(props: Props) {
  const { t } = useTranslation()
  const mends = mendsOf[knownTag(props.crash.tag)].slice(0, SHOWN)
  if (mends.length === 0) return null
  return (
    <div className={classes.mends}>
      <h3>{t('crash.mendsTitle')}</h3>
      <ul>
        {mends.map((mend) => (
          <li key={mend}>
            <MendText mend={mend} crash={props.crash} />
            {props.canManage && <MendPlaces mend={mend} {...props} />}
            {mend === 'more_memory' && <MoreMemory {...props} />}
            {mend === 'change_engine_version' && props.canManage && <GoBack server={props.server} />}
          </li>
        ))}
      </ul>
    </div>
  )
}

export function MendText({ mend, crash }: { mend: Mend; crash: CrashLike }) {
  const { t } = useTranslation()
  const { mod, needed } = culpritOf(crash)
  if (mend === 'remove_mod' && mod !== undefined) return <p>{t('crash.mendNamed.remove_mod', { mod })}</p>
  if (mend === 'install_missing' && needed !== undefined)
    return <p>{t('crash.mendNamed.install_missing', { needed })}</p>
  return <p>{t(`crash.mend.${mend}`)}</p>
}

/** Links to where it is done. */
export function MendPlaces({ mend, crash, server, identity }: Omit<Props, 'canManage'> & { mend: Mend }) {
  const { t } = useTranslation()
  return placesOf(mend, crash, server.parameters).map(({ to, label, values = {} }) => (
    <LinkButton key={to} size="small" to={`/s/${identity}${to}`}>
      {t(label, values)}
    </LinkButton>
  ))
}

/** Only who pays for a server changes its plan. */
function MoreMemory({ server, identity }: Pick<Props, 'server' | 'identity'>) {
  const { t } = useTranslation()
  const user = useSignedInUser()
  if (server.owner_id !== user.id || server.expires === null) return null
  return <LinkButton to={`/s/${identity}/payments/upgrade`}>{t('crash.moreMemory')}</LinkButton>
}

/** Back to the engine and the files from before the last change, while they are kept. */
function GoBack({ server }: Pick<Props, 'server'>) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const params = { id: server.id }
  const { data } = useQuery(queryOf(getEngine, { params }))
  const back = data?.back
  if (back === undefined || back === null) return null
  const version = `${engineName(back.engine)} ${back.version}`
  async function goBack() {
    await api(returnEngine, { params })
    await makeStale(queries, answersOf(listProcesses, params), answersOf(getEngine, params))
  }
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('crash.goBack', { version })}</Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('crash.goBackTitle', { version })}
        text={t('crash.goBackText')}
        action={t('crash.goBackConfirm')}
        onConfirm={goBack}
      />
    </>
  )
}
