/** The mail of an invitation: to an account, or to an address that may register. Only the worker knows which it was. */
import { localeOf } from '@wakestone/contract/language'
import type { Language } from '@wakestone/contract/primitives'
import { publicUrl } from '@wakestone/kit/settings'
import { layoutMail } from '#src/adapters/mail/layout.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { defineJob, mailRetries } from '#src/jobs/boss.ts'
import { invitationCode } from './codes.ts'
import { invitationTexts } from './mail-texts.ts'
import { findInvitation, findPerson, findPersonByEmail } from './repo.ts'

export const sendInvitationJob = defineJob<{ invitationId: string }>({
  queue: 'send-server-invitation',
  ...mailRetries,
})

/** Does the job: mail, and word in the panel where there is an account; unless the invitation has become needless. */
export async function sendInvitationMail(
  context: Pick<Context, 'db' | 'mailer' | 'secrets' | 'settings'>,
  { invitationId }: { invitationId: string },
): Promise<void> {
  const invitation = await findInvitation(context.db, invitationId)
  if (invitation === undefined || invitation.answered_at !== null || invitation.expires_at.getTime() < Date.now())
    return
  const person =
    invitation.email === null
      ? await findPerson(context.db, invitation.user_id ?? '')
      : await findPersonByEmail(context.db, invitation.email)
  // Here and not where it was asked for: how long that takes must not tell whether an address has an account.
  if (person !== undefined && (invitation.email === null || person.email_verified !== null)) {
    await inTransaction(context.db, (trx) =>
      notify(trx, {
        userId: person.id,
        kind: 'SERVER_SHARED',
        fields: { server: invitation.serverName, by: invitation.inviterName },
        actionExpires: invitation.expires_at,
        dedupeKey: `invitation:${invitation.id}`,
      }),
    )
  }
  // By name to an address that nobody has proved: the panel alone shows it.
  if (invitation.email === null && person?.email_verified == null) return
  const address = invitation.email ?? person?.email ?? ''
  const language = (person?.language ?? invitation.language) as Language
  const { account, stranger, subject, button, foot } = invitationTexts[language]
  const said = {
    inviter: invitation.inviterName,
    server: invitation.serverName,
    until: new Intl.DateTimeFormat(localeOf[language], {
      dateStyle: 'long',
      timeZone: person?.time_zone ?? context.settings.SELLER_TIME_ZONE,
    }).format(invitation.expires_at),
  }
  const code = encodeURIComponent(invitationCode(context, { id: invitation.id, address }))
  const link = `${publicUrl(context.settings)}/${language}/invitation?code=${code}`
  await context.mailer.send({
    to: address,
    subject: subject(said),
    ...layoutMail({
      language,
      title: subject(said),
      text: person === undefined ? stranger(said) : account({ ...said, username: person.username }),
      button: { text: button, link },
      foot,
    }),
  })
}
