import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { type ShopCommand, type ShopStage, shopStages } from '@wakestone/contract/sales/shop'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { FieldGrid } from '#app/ui/field-grid.tsx'
import classes from './shop.module.css'

/** One command: when it is sent, what it is, and what it waits for. */
export function CommandRow({
  place,
  command,
  error,
  onChange,
  onRemove,
}: {
  place: number
  command: ShopCommand
  error: string | undefined
  onChange: (command: ShopCommand) => void
  onRemove: (() => void) | null
}) {
  const { t } = useTranslation()
  const set = (part: Partial<ShopCommand>) => onChange({ ...command, ...part })
  return (
    <div className={classes['command']}>
      <FieldGrid>
        <NativeSelect
          label={t('shop.owner.stage', { place })}
          data={shopStages.map((value) => ({ value, label: t(`shop.stages.${value}`) }))}
          value={command.stage}
          onChange={(event) => set({ stage: event.currentTarget.value as ShopStage })}
        />
        <TextInput
          label={t('shop.owner.answer')}
          description={t('shop.owner.answerHint')}
          value={command.answer}
          maxLength={100}
          onChange={(event) => set({ answer: event.currentTarget.value })}
        />
      </FieldGrid>
      <TextInput
        label={t('shop.owner.command')}
        value={command.command}
        error={error}
        maxLength={300}
        spellCheck={false}
        onChange={(event) => set({ command: event.currentTarget.value })}
      />
      <Switch
        label={t('shop.owner.needsPlayer')}
        checked={command.needs_player}
        onChange={(event) => set({ needs_player: event.currentTarget.checked })}
      />
      {!command.needs_player && (
        <Switch
          label={t('shop.owner.wakes')}
          checked={command.wakes}
          onChange={(event) => set({ wakes: event.currentTarget.checked })}
        />
      )}
      {onRemove !== null && (
        <div>
          <Button size="small" look="quiet" onClick={onRemove}>
            {t('shop.owner.removeCommand', { place })}
          </Button>
        </div>
      )}
    </div>
  )
}
