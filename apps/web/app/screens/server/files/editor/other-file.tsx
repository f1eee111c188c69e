import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { useFileWork } from '../use-file-work.ts'

/** A file that is no text: it can be had, but not shown. */
export function OtherFile({ path }: { path: string }) {
  const { t } = useTranslation()
  const work = useFileWork()
  return (
    <EmptyState
      figure="none"
      title={t('files.editor.noText')}
      text={t('files.editor.noTextHint')}
      action={
        <Button icon={<IconDownload />} onClick={() => void work.download([path], true)}>
          {t('files.do.download')}
        </Button>
      }
    />
  )
}
