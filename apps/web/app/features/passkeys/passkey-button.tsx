import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button, type ButtonLook } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import classes from './passkey-button.module.css'

/** Asks for a passkey. `onPress` may take its time; what the browser refuses is told in our own words. */
export function PasskeyButton({
  onPress,
  look = 'secondary',
  size = 'large',
  autoFocus = false,
}: {
  onPress: () => Promise<unknown>
  look?: ButtonLook
  size?: 'normal' | 'large'
  autoFocus?: boolean
}) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const press = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await onPress()
    } catch (failure) {
      setError(errorBodyOf(failure) === undefined && !(failure instanceof TypeError) ? 'passkey_refused' : failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes['box']}>
      <Button
        look={look}
        size={size}
        fullWidth
        loading={isBusy}
        icon={<IconFingerprint size={18} aria-hidden="true" />}
        data-autofocus={autoFocus || undefined}
        onClick={() => void press()}
      >
        {t('passkey.use')}
      </Button>
      {error !== undefined && <ErrorNote error={error} />}
    </div>
  )
}
