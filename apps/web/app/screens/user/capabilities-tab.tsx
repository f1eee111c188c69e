import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminUserDetails } from '@wakestone/contract/admin/admin'
import type { Capabilities } from '@wakestone/contract/capabilities'
import { userSetsQuery } from '#app/features/admin/capability-sets.ts'
import { changeOf, isChanged } from '#app/features/capabilities/capability-draft.ts'
import { CapabilityValues } from '#app/features/capabilities/capability-values.tsx'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import classes from './capabilities.module.css'
import { UserSets } from './user-sets.tsx'
import { useChangeCapabilities } from './user-changes.ts'

/** What the user may do on the whole product, by where it comes from. */
export function CapabilitiesTab({ user }: { user: AdminUserDetails }) {
  const { data: held, error, refetch } = useQuery(userSetsQuery(user.id))
  if (held === undefined)
    return error === null ? <Skeleton height={320} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <div className={classes['parts']}>
      <Grants key={JSON.stringify(held.granted)} user={user} before={held.granted} />
      <UserSets user={user} held={held} />
    </div>
  )
}

/** Names with a value. Saved together, they take effect at once; begun anew when what is saved has changed. */
function Grants({ user, before }: { user: AdminUserDetails; before: Capabilities }) {
  const { t } = useTranslation()
  const self = useSignedInUser()
  const [draft, setDraft] = useState<Capabilities>(before)
  const save = useChangeCapabilities(user.id)
  const change = changeOf(before, draft)
  return (
    <Card title={t('admin.tab.capabilities')}>
      <p className={classes['text']}>{t('admin.capabilitiesText')}</p>
      {Object.keys(draft).length === 0 && (
        <EmptyState figure="none" title={t('admin.noCapabilitiesTitle')} text={t('admin.noCapabilitiesText')} />
      )}
      <CapabilityValues
        values={draft}
        before={before}
        whyFixed={(name) => (name === 'admin' && self.id === user.id ? t('admin.whySelf') : undefined)}
        onChange={setDraft}
      />
      {save.error !== null && <ErrorNote error={save.error} />}
      <div className={classes['actions']}>
        {isChanged(change) && <Button onClick={() => setDraft(before)}>{t('admin.discard')}</Button>}
        <Button
          look="primary"
          loading={save.isPending}
          why={isChanged(change) ? undefined : t('flags.whySame')}
          onClick={() => save.mutate(change)}
        >
          {t('flags.save')}
        </Button>
      </div>
    </Card>
  )
}
