import { IconPlus, IconRestore, IconUpload } from '@tabler/icons-react'
import type { World } from '@wakestone/contract/servers/worlds'
import { useState } from 'react'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { OperationsCard } from '#app/features/servers/operations/operations-card.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ManagersOnly } from '../managers-only.tsx'
import { PartDialog } from '../backups/part-dialog.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { ConfirmWorldDialog, NameDialog } from './name-dialog.tsx'
import { PruneDialog } from './prune-dialog.tsx'
import { ResetDialog } from './reset-dialog.tsx'
import { UploadDialog } from './upload-dialog.tsx'
import { WorldUploadCard } from './world-upload-card.tsx'
import type { WorldUpload } from './world-uploads.ts'
import { useWorlds } from './use-worlds.ts'
import { WorldCard, type WorldDialog } from './world-card.tsx'
import classes from './worlds.module.css'

type Opened =
  | { kind: 'create' | 'backup-world' }
  | { kind: 'upload'; again?: WorldUpload }
  | { kind: WorldDialog; world: World }

/** `/s/{identity}/app/worlds`: the worlds of this server, and all that is done with them. */
export default function ServerWorlds() {
  const { t } = useTranslation()
  const { server, identity, canManage, list, whyNotNow } = useWorlds()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const head = (
    <>
      <PageMeta page="serverWorlds" title={`${t('worlds.title')} · ${server.name}`} />
      <PageHeader
        title={t('worlds.title')}
        text={t('worlds.text')}
        actions={
          canManage ? (
            <div className={classes['actions']}>
              <Button icon={<IconRestore />} why={whyNotNow} onClick={() => setOpened({ kind: 'backup-world' })}>
                {t('worlds.fromBackup')}
              </Button>
              <Button icon={<IconUpload />} why={whyNotNow} onClick={() => setOpened({ kind: 'upload' })}>
                {t('worlds.upload')}
              </Button>
              <Button look="primary" icon={<IconPlus />} why={whyNotNow} onClick={() => setOpened({ kind: 'create' })}>
                {t('worlds.create')}
              </Button>
            </div>
          ) : null
        }
      />
    </>
  )
  if (!canManage)
    return (
      <>
        {head}
        <ManagersOnly server={server} identity={identity} />
      </>
    )
  return (
    <>
      {head}
      <div className={classes['cards']}>
        <WorldUploadCard onRename={(again) => setOpened({ kind: 'upload', again })} />
        <OperationsCard serverId={server.id} canManage={canManage} endsOf={['world_change', 'world_work']} />
        {list.data === undefined ? (
          list.error === null ? (
            <Skeleton height={320} />
          ) : (
            <ErrorState error={list.error} onRetry={() => void list.refetch()} />
          )
        ) : (
          <>
            {list.data.worlds.length > 0 && !list.data.worlds.some(({ is_active }) => is_active) && (
              <p role="status">{t('worlds.makesNew', { name: list.data.active.replace(/^worlds\//, '') })}</p>
            )}
            {list.data.worlds.length === 0 ? (
              <Card>
                <EmptyState title={t('worlds.emptyTitle')} text={t('worlds.emptyText')} />
              </Card>
            ) : (
              list.data.worlds.map((world) => (
                <WorldCard key={world.folder} world={world} onOpen={(kind) => setOpened({ kind, world })} />
              ))
            )}
            <p>
              <LinkButton size="small" to={`/s/${identity}/files/trash`}>
                {t('worlds.trash')}
              </LinkButton>
            </p>
          </>
        )}
      </div>
      {opened !== null && <Opened opened={opened} onClose={close} />}
    </>
  )
}

function Opened({ opened, onClose }: { opened: Opened; onClose: () => void }) {
  switch (opened.kind) {
    case 'create':
      return <CreateDialog onClose={onClose} />
    case 'upload':
      return <UploadDialog again={opened.again} onClose={onClose} />
    case 'edit':
      return <EditDialog world={opened.world} onClose={onClose} />
    case 'backup-world':
      return <PartDialog part={{ kind: 'world', folder: null }} onClose={onClose} />
    case 'backup':
      return <PartDialog part={{ kind: 'world', folder: opened.world.folder }} onClose={onClose} />
    case 'prune':
      return <PruneDialog world={opened.world} onClose={onClose} />
    case 'reset':
      return <ResetDialog world={opened.world} onClose={onClose} />
    case 'duplicate':
    case 'rename':
      return <NameDialog kind={opened.kind} world={opened.world} onClose={onClose} />
    case 'switch':
    case 'delete':
      return <ConfirmWorldDialog kind={opened.kind} world={opened.world} onClose={onClose} />
  }
}
