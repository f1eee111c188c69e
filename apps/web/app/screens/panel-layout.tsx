import '#app/ui/panel-styles.ts'
import { HydrationBoundary, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Outlet } from 'react-router'
import { isAdmin } from '@wakestone/contract/capabilities'
import { prefetch } from '#app/api/prefetch.ts'
import { serversQuery, walletsQuery } from '#app/api/queries.ts'
import { createQueryClient } from '#app/api/query-client.ts'
import { requireUser } from '#app/features/session/require-user.ts'
import { securityQuery } from '#app/features/session/security-query.ts'
import { StepUpDialog } from '#app/features/step-up/step-up-dialog.tsx'
import { PanelFrame } from '#app/features/shell/panel-frame.tsx'
import { useOpeningServer } from '#app/features/shell/use-opening-server.ts'
import { useLanguage } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/panel-layout'
import { ServerSkeleton } from './server/server-skeleton.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api } = context.get(webContext)
  return {
    queries: await prefetch(
      walletsQuery(user.id, api),
      serversQuery(user.id, api),
      ...(isAdmin(user.user_capabilities) ? [securityQuery(api)] : []),
    ),
  }
}

/** The queries keep themselves fresh; moving between screens need not read them anew. */
export function shouldRevalidate() {
  return false
}

export default function PanelLayout({ loaderData }: Route.ComponentProps) {
  const language = useLanguage()
  const [client] = useState(() =>
    createQueryClient(() => {
      const here = location.pathname + location.search
      location.assign(`/${language}/login?from=${encodeURIComponent(here)}`)
    }),
  )
  return (
    <QueryClientProvider client={client}>
      <HydrationBoundary state={loaderData.queries}>
        <PanelFrame>
          <Screen />
        </PanelFrame>
        <StepUpDialog />
      </HydrationBoundary>
    </QueryClientProvider>
  )
}

/** The open screen; a server that is on its way is seen in outline at once. */
function Screen() {
  const opening = useOpeningServer()
  return opening === undefined ? <Outlet /> : <ServerSkeleton screen={opening} />
}
