import { useTranslation } from '#app/i18n/texts.tsx'
import { data, Link } from 'react-router'
import { createTicket } from '@wakestone/contract/accounts/support-routes'
import { takeForm } from '#app/features/forms/take-form.ts'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { socialName } from '#app/features/site/social-name.ts'
import { useSite } from '#app/features/site/use-site.ts'
import { userTicketBody, visitorTicketBody } from '#app/features/support/ticket-calls.ts'
import { type SentTicket, TicketForm } from '#app/features/support/ticket-form.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/contact'
import classes from './contact.module.css'

/** Takes the form of a browser without scripts. */
export async function action({ request, context }: Route.ActionArgs) {
  const { api, user, language } = context.get(webContext)
  let sent: SentTicket | undefined
  const answer = await takeForm(request, {
    schema: user === null ? visitorTicketBody : userTicketBody,
    fields: { topic: '', email: '', subject: '', message: '', website: '' },
    async send(body) {
      const ticket = await api(createTicket, { body: { ...body, language: chooseLanguage(request, language) } })
      sent = { number: ticket.number, email: user?.email ?? body.email ?? '', due: ticket.answer_due_at }
    },
  })
  return answer === null ? { answer: undefined, sent } : data({ answer, sent }, { status: 400 })
}

/** `/{lang}/contact`: a way to a person. */
export default function Contact({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const { socialLinks } = useSite()
  return (
    <div className={classes['page']}>
      <PageMeta page="contact" isPublic />
      <div className={classes['words']}>
        <h1>{t('contact.title')}</h1>
        <p className={classes['lead']}>{t('contact.lead')}</p>
        <h2>{t('contact.before')}</h2>
        <ul>
          <li>
            <Link to={`${path('')}#questions`}>{t('home.faq')}</Link>
          </li>
          <li>
            <Link to={path('/offers')}>{t('offers.title')}</Link>
          </li>
        </ul>
        <h2>{t('contact.helps')}</h2>
        <ul>
          <li>{t('contact.helpServer')}</li>
          <li>{t('contact.helpTime')}</li>
          <li>{t('contact.helpCode')}</li>
        </ul>
        {socialLinks.length > 0 && (
          <>
            <h2>{t('contact.elsewhere')}</h2>
            <ul>
              {socialLinks.map((address) => (
                <li key={address}>
                  <a href={address} rel="me noopener">
                    {socialName(address)}
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <section id="contact" className={classes['box']} aria-labelledby="contact-title">
        <h2 id="contact-title">{t('contact.formTitle')}</h2>
        <TicketForm answer={actionData?.answer} sent={actionData?.sent} />
      </section>
    </div>
  )
}
