import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { type ShopCommand, type ShopStage, shopStages } from '@wakestone/contract/sales/shop'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { FieldGrid } from '#app/ui/field-grid.tsx'
import classes from './shop.module.css'

export const samplePlayer = 'Steve'
/** Of LuckPerms, which most servers have. */
const example = 'lp user {player} group add vip'

/** One command: when it is sent, what it is, and what it waits for. */
export function CommandRow({
  place,
  command,
  sample,
  error,
  onChange,
  onRemove,
}: {
  place: number
  command: ShopCommand
  /** The line as it would be sent for `samplePlayer`; undefined where it is none yet. */
  sample: string | undefined
  error: string | undefined
  onChange: (command: ShopCommand) => void
  onRemove: (() => void) | null
}) {
  const { t } = useTranslation()
  const set = (part: Partial<ShopCommand>) => onChange({ ...command, ...part })
  return (
    <div className={classes['command']}>
      <TextInput
        label={t('shop.owner.command')}
        placeholder={example}
        value={command.command}
        error={error}
        maxLength={300}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => set({ command: event.currentTarget.value })}
      />
      {sample !== undefined && (
        <p className={classes['sample']}>
          {t('shop.owner.sample', { player: samplePlayer })} <code>{sample}</code>
        </p>
      )}
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
      <details className={classes['details']} open={command.stage !== 'purchase' || command.answer !== '' || undefined}>
        <summary>{t('shop.owner.moreOfCommand')}</summary>
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
      </details>
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
