import { IconMessage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import type { Route } from './+types/messages'

const codes = ['register', 'loggedOut'] as const
type Code = (typeof codes)[number]
const isKnown = (code: string | undefined): code is Code => codes.includes(code as Code)

/** A short message named by the address, for mails and redirects to lead to. */
export default function Messages({ params }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const { code } = params
  return (
    <>
      <PageMeta page="message" />
      <StatusPage
        icon={<IconMessage />}
        title={isKnown(code) ? t(`messages.${code}.title`) : t('messages.unknownTitle')}
        text={isKnown(code) ? t(`messages.${code}.text`) : t('messages.unknownText')}
      >
        <LinkButton look="primary" to={path('')}>
          {t('error.home')}
        </LinkButton>
      </StatusPage>
    </>
  )
}
