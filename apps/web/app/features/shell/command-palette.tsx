import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './command-palette.module.css'
import { type Command, useCommands } from './palette-commands.tsx'
import { useFoundCommands } from './palette-found.tsx'
import { groupCommands, rankCommands } from './rank-commands.ts'

/** Goes to any screen or server, or does something, from the keyboard. A combobox: the focus stays in the field. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const groups = groupCommands([...rankCommands(useCommands(onClose), typed), ...useFoundCommands(typed, onClose)])
  const commands = groups.flatMap((group) => group.commands)
  const active = commands[Math.min(chosen, commands.length - 1)]
  const idOf = (command: Command) => `${listId}-${command.id}`
  const activeId = active && idOf(active)
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = steps[event.key]
    if (step !== undefined && active !== undefined) {
      event.preventDefault()
      const next = commands.indexOf(active) + step
      // One beyond the end begins anew; a leap stops there.
      const wraps = Math.abs(step) === 1
      setChosen(wraps ? (next + commands.length) % commands.length : Math.max(0, Math.min(commands.length - 1, next)))
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      active?.run()
    }
  }
  return (
    <Modal.Root opened onClose={onClose} padding={0} size={560} yOffset="12vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={t('palette.title')}>
        <div className={classes['field']}>
          <IconSearch size={18} aria-hidden="true" />
          <input
            className={classes['input']}
            value={typed}
            placeholder={t('palette.placeholder')}
            aria-label={t('palette.title')}
            role="combobox"
            aria-expanded={commands.length > 0}
            aria-autocomplete="list"
            aria-controls={listId}
            aria-activedescendant={activeId}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              setChosen(0)
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <p className="visually-hidden" role="status">
          {t('palette.found', { count: commands.length })}
        </p>
        {commands.length === 0 && (
          <div className={classes['nothing']}>
            <p>{t('palette.nothing', { typed: typed.trim() })}</p>
            <p>{t('palette.nothingHint')}</p>
          </div>
        )}
        <div id={listId} role="listbox" aria-label={t('palette.title')} className={classes['list']}>
          {groups.map(({ group, commands: members }) => (
            <div key={group} role="group" aria-label={group}>
              <div className={classes['group']} aria-hidden="true">
                {group}
              </div>
              {members.map((command) => (
                <button
                  key={command.id}
                  type="button"
                  id={idOf(command)}
                  role="option"
                  aria-selected={command === active}
                  tabIndex={-1}
                  className={classes['command']}
                  onClick={command.run}
                  // Not on entering: rows that scroll under a resting pointer would take the choice away.
                  onPointerMove={() => command !== active && setChosen(commands.indexOf(command))}
                >
                  {command.icon}
                  <span>{command.label}</span>
                  {command.hint !== undefined && <small>{command.hint}</small>}
                </button>
              ))}
            </div>
          ))}
        </div>
        <div className={classes['keys']} aria-hidden="true">
          <span>
            <kbd>↑</kbd>
            <kbd>↓</kbd> {t('palette.keyChoose')}
          </span>
          <span>
            <kbd>↵</kbd> {t('palette.keyRun')}
          </span>
          <span>
            <kbd>{escapeKey}</kbd> {t('palette.keyClose')}
          </span>
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

const escapeKey = 'Esc'
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 }
