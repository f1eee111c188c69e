import { IconPackageImport } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { User } from '@wakestone/contract/accounts/user'
import { listUserServers } from '@wakestone/contract/accounts/users-routes'
import { canManagePackages } from '@wakestone/contract/capabilities'
import type { Server } from '@wakestone/contract/servers/server'
import { api } from '#app/api/client.ts'
import { serverPath } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import classes from './project.module.css'

/** Lets the user choose one of their servers and opens the project there. */
export function InstallButton({ slug, user }: { slug: string; user: User }) {
  const { t } = useTranslation()
  const path = usePath()
  const [isOpen, setOpen] = useState(false)
  const [servers, setServers] = useState<Server[]>()
  const [failure, setFailure] = useState<unknown>()
  const open = () => {
    setOpen(true)
    setFailure(undefined)
    api(listUserServers, { params: { id: user.id } }).then(
      (all) =>
        setServers(
          all.filter(
            (one) => one.deleted_at === null && canManagePackages(user.user_capabilities, one.user_capabilities),
          ),
        ),
      setFailure,
    )
  }
  return (
    <>
      <Button look="primary" icon={<IconPackageImport size={16} aria-hidden="true" />} onClick={open}>
        {t('market.install')}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t('market.installChoose')}>
        {failure !== undefined ? (
          <ErrorNote error={failure} />
        ) : servers === undefined ? (
          <SkeletonText lines={3} />
        ) : servers.length === 0 ? (
          <>
            <p>{t('market.installNoServer')}</p>
            <LinkButton look="primary" to={path('/create')}>
              {t('shell.newServer')}
            </LinkButton>
          </>
        ) : (
          <ul className={classes['choices']}>
            {servers.map((server) => (
              <li key={server.id}>
                <Link to={`${serverPath(server)}/m/${encodeURIComponent(slug)}`}>
                  <strong>{server.name}</strong>
                  <span>{server.address}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Modal>
    </>
  )
}
