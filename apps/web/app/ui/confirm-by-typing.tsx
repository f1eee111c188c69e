import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { Button } from './button.tsx'
import classes from './confirm-by-typing.module.css'
import { ErrorNote } from './error-state.tsx'
import { Modal } from './modal.tsx'
import { useConfirming } from './use-confirming.ts'

/**
 * Asks before something is lost: `text` names what, `name` has to be typed.
 * Stays open with the error when `onConfirm` fails.
 */
export function ConfirmByTyping({
  opened,
  onClose,
  title,
  text,
  name,
  action,
  onConfirm,
}: {
  opened: boolean
  onClose: () => void
  title: string
  text: ReactNode
  name: string
  action: string
  onConfirm: () => Promise<unknown>
}) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const matches = typed.trim() === name
  const { isBusy, error, close, confirm } = useConfirming(onConfirm, () => {
    setTyped('')
    onClose()
  })
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (matches) void confirm()
        }}
      >
        <div className={classes['text']}>{text}</div>
        <TextInput
          label={<Trans i18nKey="confirm.typeName" values={{ name }} components={{ b: <b className="mono" /> }} />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        {error !== undefined && <ErrorNote error={error} />}
        <div className={classes['actions']}>
          <Button onClick={close}>{t('common.cancel')}</Button>
          <Button type="submit" look="danger" loading={isBusy} why={matches ? undefined : t('confirm.typeFirst')}>
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
