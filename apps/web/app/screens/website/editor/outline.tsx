import { IconArrowDown, IconArrowUp, IconCopy, IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { type BlockType, blockTypes, websiteLimits } from '@wakestone/contract/websites/content'
import { randomId } from '#app/api/random-id.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import classes from './editor.module.css'
import { rootZone, usePuckState } from './puck.tsx'

/** The blocks of a page from top to bottom: everything that a mouse does in the canvas, by keyboard too. */
export function Outline() {
  const { t } = useTranslation()
  const dispatch = usePuckState((state) => state.dispatch)
  const content = usePuckState((state) => state.appState.data.content)
  const chosen = usePuckState((state) => state.appState.ui.itemSelector)
  const [said, setSaid] = useState('')
  const [wanted, setWanted] = useState<BlockType>('hero')
  const list = useRef<HTMLOListElement>(null)
  const isFull = content.length >= websiteLimits.blocks

  const nameOf = (type: string) => t(`websites.blocks.${type as BlockType}`)
  const choose = (index: number | null) =>
    dispatch({ type: 'setUi', ui: { itemSelector: index === null ? null : { index, zone: rootZone } } })
  /** The focus goes with what was moved, once it is there. */
  const focusOn = (index: number, action: 'choose' | 'up' | 'down') =>
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-row="${index}"] [data-action="${action}"]`)?.focus(),
    )
  function move(index: number, by: -1 | 1) {
    const to = index + by
    dispatch({ type: 'reorder', sourceIndex: index, destinationIndex: to, destinationZone: rootZone })
    choose(to)
    setSaid(t('websites.moved', { name: nameOf(content[index]?.type ?? ''), place: to + 1 }))
    const isEdge = to === 0 || to === content.length - 1
    focusOn(to, isEdge ? 'choose' : by < 0 ? 'up' : 'down')
  }
  function add() {
    const at = chosen === null ? content.length : chosen.index + 1
    dispatch({
      type: 'insert',
      componentType: wanted,
      destinationIndex: at,
      destinationZone: rootZone,
      id: `${wanted}-${randomId()}`,
    })
    choose(at)
    setSaid(t('websites.added', { name: nameOf(wanted) }))
  }
  function remove(index: number) {
    dispatch({ type: 'remove', index, zone: rootZone })
    choose(null)
    setSaid(t('websites.removed', { name: nameOf(content[index]?.type ?? '') }))
    focusOn(Math.max(0, Math.min(index, content.length - 2)), 'choose')
  }
  return (
    <section className={classes['panel']} aria-label={t('websites.blocksTitle')}>
      <h2 className={classes['head']}>{t('websites.blocksTitle')}</h2>
      <ol ref={list} className={classes['blocks']}>
        {content.map(({ type, props }, index) => {
          const name = nameOf(type)
          const isChosen = chosen?.index === index
          return (
            <li key={String(props.id)} data-row={index} data-chosen={isChosen} className={classes['block']}>
              <button
                type="button"
                data-action="choose"
                className={classes['choose']}
                aria-pressed={isChosen}
                onClick={() => choose(isChosen ? null : index)}
              >
                {name}
              </button>
              <span className={classes['tools']}>
                <Tool
                  action="up"
                  label={t('websites.up', { name })}
                  disabled={index === 0}
                  onClick={() => move(index, -1)}
                  icon={<IconArrowUp size={18} />}
                />
                <Tool
                  action="down"
                  label={t('websites.down', { name })}
                  disabled={index === content.length - 1}
                  onClick={() => move(index, 1)}
                  icon={<IconArrowDown size={18} />}
                />
                <Tool
                  label={t('websites.copy', { name })}
                  disabled={isFull}
                  onClick={() => {
                    dispatch({ type: 'duplicate', sourceIndex: index, sourceZone: rootZone })
                    choose(index + 1)
                  }}
                  icon={<IconCopy size={18} />}
                />
                <Tool
                  label={t('websites.remove', { name })}
                  onClick={() => remove(index)}
                  icon={<IconTrash size={18} />}
                />
              </span>
            </li>
          )
        })}
      </ol>
      {content.length === 0 && <p className={classes['muted']}>{t('websites.noBlocks')}</p>}
      <div className={classes['adder']}>
        <label className={classes['adderLabel']}>
          <span>{t('websites.newBlock')}</span>
          <select
            className={classes['select']}
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value as BlockType)}
          >
            {blockTypes.map((type) => (
              <option key={type} value={type}>
                {nameOf(type)}
              </option>
            ))}
          </select>
        </label>
        <Button
          icon={<IconPlus size={18} />}
          onClick={add}
          why={isFull ? t('websites.fullPage', { most: websiteLimits.blocks }) : undefined}
        >
          {t('websites.add')}
        </Button>
      </div>
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </section>
  )
}

function Tool({
  label,
  icon,
  action,
  ...rest
}: {
  label: string
  icon: React.ReactNode
  action?: string
  disabled?: boolean
  onClick: () => void
}) {
  return (
    <button type="button" className={classes['tool']} aria-label={label} title={label} data-action={action} {...rest}>
      {icon}
    </button>
  )
}
