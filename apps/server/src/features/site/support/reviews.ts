/**
 * What people think of the product, kept as an event of their account.
 */
import type { z } from 'zod'
import type { Language } from '@wakestone/contract/primitives'
import type { createReviewBody } from '@wakestone/contract/site/support'
import { publicUrl } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'

type Reviewer = { userId: string; username: string; language: Language }
type ReviewedServer = { id: string; name: string; engine: string; created_at: Date }

/** @param about.server what the review was written beside, which its writer may see. @throws DomainError `too_many_requests`. */
export async function createReview(
  context: Pick<Context, 'db' | 'settings'>,
  { rate, causes, advantages, comment, age, language }: z.output<typeof createReviewBody>,
  { user, ip, server }: { user: Reviewer; ip: string; server: ReviewedServer | undefined },
): Promise<void> {
  await requireWithinLimit(context, 'review', { ip, userId: user.userId })
  const panelLanguage = language ?? user.language
  await inTransaction(context.db, (trx) =>
    recordUserEvent(trx, user.userId, {
      action: 'USER_RATED_APP',
      data: {
        rate,
        causes,
        advantages,
        ...(comment !== undefined && { comment }),
        ...(age !== undefined && { age }),
        username: user.username,
        user_url: `${publicUrl(context.settings)}/${panelLanguage}/user/${user.userId}`,
        panel_language: panelLanguage,
        ...(server !== undefined && {
          server: server.name,
          server_id: server.id,
          engine: server.engine,
          duration: secondsSince(server.created_at),
        }),
      },
    }),
  )
}

const secondsSince = (time: Date) => Math.floor((Date.now() - time.getTime()) / 1000)
