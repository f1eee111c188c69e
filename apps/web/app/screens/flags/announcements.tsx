import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/announcements'
import { FlagEditor } from './flag-editor.tsx'
import { flagsQuery } from './flag-queries.ts'
import { FlagSwitch, LastChange } from './flag-state.tsx'
import classes from './flags.module.css'

export const handle = { frame: adminFrame } satisfies FrameHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  return { queries: await prefetch(flagsQuery(context.get(webContext).api)) }
}

/** Flags that show visitors a text. */
const announcements = ['panel-announcement', 'promotion-banner', 'redirect-modal'] as const

/** `/{lang}/admin/announcements`: what visitors are told above pages and in a dialog. */
export default function Announcements({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="announcements" />
      <PageHeader title={t('flags.announcements.title')} text={t('flags.announcements.text')} />
      <AnnouncementForms />
    </HydrationBoundary>
  )
}

function AnnouncementForms() {
  const { t } = useTranslation()
  const { data: flags, error, refetch } = useQuery(flagsQuery())
  if (flags === undefined)
    return error === null ? <Skeleton height={320} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <div className={classes['announcements']}>
      {announcements.map((key) => {
        const flag = flags.find((one) => one.key === key)
        if (flag === undefined) return null
        return (
          <FlagEditor
            key={key}
            flag={flag}
            title={t(`flags.announcements.${key}`)}
            beside={
              <>
                {flag.updated_at !== null && <LastChange flag={flag} />}
                <FlagSwitch flag={flag} />
              </>
            }
          />
        )
      })}
    </div>
  )
}
