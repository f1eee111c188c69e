import { useTranslation } from '#app/i18n/texts.tsx'
import { data } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import type { Route } from './+types/messages'
import { isMessageCode, messageKinds } from './message-kinds.ts'

export function loader({ params }: Route.LoaderArgs) {
  return data(null, { status: isMessageCode(params.code) ? 200 : 404 })
}

const targets = { home: '', login: '/login', servers: '/s' } as const

/** A short message named by the address, for mails and redirects to lead to. */
export default function Messages({ params: { code } }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  if (!isMessageCode(code)) {
    return (
      <>
        <PageMeta page="message" />
        <StatusPage figure="owl" code={404} title={t('messages.unknownTitle')} text={t('messages.unknownText')}>
          <LinkButton look="primary" to={path('')}>
            {t('messages.next.home')}
          </LinkButton>
        </StatusPage>
      </>
    )
  }
  const { tone, figure, next } = messageKinds[code]
  const title = t(`messages.${code}.title`)
  return (
    <>
      <PageMeta page="message" title={title} />
      <StatusPage tone={tone} figure={figure} title={title} text={t(`messages.${code}.text`)}>
        <LinkButton look="primary" to={path(targets[next])}>
          {t(`messages.next.${next}`)}
        </LinkButton>
      </StatusPage>
    </>
  )
}
