import { IconEye } from '@tabler/icons-react'
import { type SubmitEvent, useEffect } from 'react'
import type { User } from '@wakestone/contract/accounts/user'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { showErrorToast } from '#app/ui/toasts.tsx'
import classes from './view-as-banner.module.css'

/** On every page while an administrator sees the panel as somebody else: as whom, until when, and the way back. */
export function ViewAsBanner({ user, until }: { user: User; until: string }) {
  const { t } = useTranslation()
  const path = usePath()
  const format = useFormat()
  const back = path(`/user/${user.id}`)
  useEffect(() => {
    // Once it has ended, what is shown is no longer what a click would do.
    const timer = setTimeout(() => location.assign(back), Math.max(0, Date.parse(until) - Date.now()))
    return () => clearTimeout(timer)
  }, [until, back])
  const end = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    try {
      const { endView } = await import('./end-view.ts')
      await endView(back)
    } catch (error) {
      showErrorToast(error)
    }
  }
  return (
    <aside className={classes['banner']} aria-label={t('viewAs.label')} data-view-as>
      <IconEye size={20} aria-hidden="true" />
      <p>
        <Trans
          i18nKey="viewAs.text"
          values={{ name: user.username, until: format.time(until) }}
          components={{ b: <b /> }}
        />
      </p>
      {/* Without scripts the API ends it all the same. */}
      <form method="post" action="/api/v1/users/view-as/end" onSubmit={(event) => void end(event)}>
        <button type="submit">{t('viewAs.end')}</button>
      </form>
    </aside>
  )
}
