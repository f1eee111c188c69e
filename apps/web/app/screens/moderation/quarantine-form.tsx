import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { quarantineArtifact } from '@wakestone/contract/marketplace/moderation-routes'
import { sha256Schema } from '@wakestone/contract/marketplace/schemas'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmByTyping } from '#app/ui/confirm-by-typing.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './moderation.module.css'

const schema = z.object({ sha256: sha256Schema, reason: z.string().trim().min(3, 'required').max(1000) })
type Done = z.output<(typeof quarantineArtifact.responses)[200]>

/** A file that is malice: taken from nobody any more, and from the servers that have it. */
export function QuarantineForm({ first }: { first: string }) {
  const { t } = useTranslation()
  const form = useZodForm(schema, { sha256: first, reason: '' })
  const [asked, setAsked] = useState<z.output<typeof schema> | null>(null)
  const [done, setDone] = useState<Done | null>(null)
  return (
    <>
      <form noValidate onSubmit={form.submit(async (values) => setAsked(values))}>
        <Card title={t('moderation.quarantine')}>
          <div className={classes['parts']}>
            <p>{t('moderation.quarantineText')}</p>
            <TextInput label={t('moderation.hash')} spellCheck={false} {...form.field('sha256')} />
            <Textarea label={t('moderation.reason')} autosize minRows={3} {...form.field('reason')} />
            <div className={classes['actions']}>
              <Button type="submit" look="danger">
                {t('moderation.quarantine')}
              </Button>
            </div>
          </div>
        </Card>
      </form>
      {done !== null && <DoneCard done={done} />}
      {asked !== null && (
        <ConfirmByTyping
          opened
          onClose={() => setAsked(null)}
          title={t('moderation.quarantineTitle')}
          text={t('moderation.quarantineText')}
          name={asked.sha256.slice(0, 8)}
          action={t('moderation.quarantine')}
          onConfirm={async () => setDone(await api(quarantineArtifact, { body: asked }))}
        />
      )}
    </>
  )
}

function DoneCard({ done: { releases, servers } }: { done: Done }) {
  const { t } = useTranslation()
  return (
    <div className={classes['done']}>
      <Card title={t('moderation.quarantined')}>
        <div className={classes['parts']} role="status">
          <p>{t('moderation.quarantinedReleases', { count: releases.length })}</p>
          <p>{t('moderation.quarantinedServers', { count: servers.length })}</p>
          <ul className={classes['files']}>
            {servers.map((server) => (
              <li key={server.id}>
                <Link to={`/s/${server.id}/m?view=installed`}>{server.name}</Link>
              </li>
            ))}
          </ul>
        </div>
      </Card>
    </div>
  )
}
