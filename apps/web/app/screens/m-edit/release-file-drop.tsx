import { IconFileUpload } from '@tabler/icons-react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { FileDrop } from '#app/ui/file-drop.tsx'
import { ChosenFile } from './chosen-file.tsx'
import classes from './edit.module.css'

/** Files of a release: chosen at once or one after another, where a later one replaces one of its name. */
export function ReleaseFileDrop({
  files,
  busy,
  onChange,
}: {
  files: readonly File[]
  busy: boolean
  onChange: (files: readonly File[]) => void
}) {
  const { t } = useTranslation()
  return (
    <div className={classes['dropped']}>
      <FileDrop
        label={t('market.form.dropMany')}
        accept=".jar,.zip,.tgz,.gz"
        multiple
        busy={busy}
        onFiles={(more) => onChange([...files.filter(({ name }) => !more.some((one) => one.name === name)), ...more])}
      >
        <IconFileUpload size={26} aria-hidden="true" />
      </FileDrop>
      {files.map((file) => (
        <ChosenFile key={file.name} file={file} onRemove={() => onChange(files.filter((one) => one !== file))} />
      ))}
    </div>
  )
}
