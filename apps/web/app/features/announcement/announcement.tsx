import { IconX } from '@tabler/icons-react'
import { useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFlag } from '#app/features/flags/use-flag.ts'
import { useLanguage } from '#app/i18n/use-format.ts'
import { NonceContext } from '#app/ui/nonce.ts'
import classes from './announcement.module.css'
import { announcementId, closeAnnouncement } from './closed-announcement.ts'

/** What the operator has to say above every page. Closing it lasts for the session. */
export function Announcement() {
  const { t } = useTranslation()
  const language = useLanguage()
  const nonce = useContext(NonceContext)
  const announcement = useFlag('panel-announcement')
  const [isClosed, setClosed] = useState(false)
  if (announcement === null || isClosed) return null
  const id = announcementId(announcement)
  return (
    <>
      {/* Decides before the banner is painted, so that one that was closed never appears. */}
      <script
        nonce={nonce}
        suppressHydrationWarning
        dangerouslySetInnerHTML={{
          __html: `try{if(sessionStorage.getItem('ws-announcement')==='${id}')document.documentElement.dataset.announcement='closed'}catch{}`,
        }}
      />
      <aside className={classes['banner']} aria-label={t('announcement.label')} data-announcement>
        <p>
          {announcement.text[language]}
          {announcement.community_url !== undefined && (
            <>
              {' '}
              <a href={announcement.community_url} rel="noopener">
                {t('announcement.community')}
              </a>
            </>
          )}
        </p>
        <button
          type="button"
          aria-label={t('common.close')}
          onClick={() => {
            closeAnnouncement(id)
            setClosed(true)
          }}
        >
          <IconX size={16} aria-hidden="true" />
        </button>
      </aside>
    </>
  )
}
