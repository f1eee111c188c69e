import { IconX } from '@tabler/icons-react'
import { toldIn } from '@wakestone/contract/site/told-in'
import { useContext, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFlag } from '#app/features/flags/use-flag.ts'
import { useLanguage } from '#app/i18n/use-format.ts'
import { NonceContext } from '#app/ui/nonce.ts'
import classes from './announcement.module.css'
import { announcementKey, closeNotice, noticeId } from './closed-notices.ts'

/** What the operator has to say above every page. Closing it lasts for the session. */
export function Announcement() {
  const { t } = useTranslation()
  const language = useLanguage()
  const nonce = useContext(NonceContext)
  const announcement = useFlag('panel-announcement')
  const [isClosed, setClosed] = useState(false)
  const text = announcement === null ? undefined : toldIn(announcement.text, language)
  if (announcement === null || text === undefined || isClosed) return null
  const id = noticeId(announcement)
  return (
    <>
      {/* Decides before the banner is painted, so that one that was closed never appears. */}
      <script
        nonce={nonce}
        suppressHydrationWarning
        dangerouslySetInnerHTML={{
          __html: `try{if(sessionStorage.getItem('${announcementKey}')==='${id}')document.documentElement.dataset.announcement='closed'}catch{}`,
        }}
      />
      <aside className={classes['banner']} aria-label={t('announcement.label')} data-announcement>
        <p>
          {text}
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
            closeNotice(announcementKey, id)
            setClosed(true)
          }}
        >
          <IconX size={16} aria-hidden="true" />
        </button>
      </aside>
    </>
  )
}
