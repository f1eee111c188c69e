import { useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import classes from './edit.module.css'

/** One that is sent with what is filled in, as it looks. */
export function ChosenFile({ file, onRemove }: { file: File; onRemove: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [url, setUrl] = useState('')
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return (
    <div className={classes['chosen']}>
      {url !== '' && file.type.startsWith('image/') && <img src={url} alt="" />}
      <span>
        {file.name} <span className={classes['muted']}>{format.bytes(file.size)}</span>
      </span>
      <Button size="small" look="quiet" onClick={onRemove}>
        {t('market.form.remove')}
      </Button>
    </div>
  )
}
