import { useMemo } from 'react'
import { blockProps, type BlockType } from '@wakestone/contract/websites/content'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './editor.module.css'
import { FieldInputs, useWriting, WritingContext } from './field-input.tsx'
import { fieldsOf } from './field-specs.ts'
import { blockFrom, rootZone, usePuckState } from './puck.tsx'

/** The fields of the block that is chosen. */
export function FieldsPanel() {
  const { t } = useTranslation()
  const writing = useWriting()
  const dispatch = usePuckState((state) => state.dispatch)
  const item = usePuckState((state) => state.selectedItem)
  const selector = usePuckState((state) => state.appState.ui.itemSelector)
  const block = item === null ? undefined : blockFrom(item)
  const faults = useMemo(() => {
    const found = block === undefined ? undefined : blockProps[block.type].safeParse(block.props)
    return new Map(found?.error?.issues.map(({ path, message }) => [path.join('.'), message]))
  }, [block])
  if (block === undefined || item === null || selector === null)
    return (
      <section className={classes['panel']} aria-label={t('websites.fieldsTitle')}>
        <h2 className={classes['head']}>{t('websites.fieldsTitle')}</h2>
        <p className={classes['muted']}>{t('websites.chooseBlock')}</p>
      </section>
    )
  const type: BlockType = block.type
  return (
    <section className={classes['panel']} aria-label={t('websites.fieldsTitle')}>
      <h2 className={classes['head']}>{t(`websites.blocks.${type}`)}</h2>
      <WritingContext value={{ ...writing, faults }}>
        <FieldInputs
          key={block.id}
          fields={fieldsOf[type]}
          value={block.props as unknown as Record<string, unknown>}
          onChange={(props) =>
            dispatch({
              type: 'replace',
              destinationIndex: selector.index,
              destinationZone: rootZone,
              data: { ...item, props: { ...props, id: block.id } },
            })
          }
        />
      </WritingContext>
    </section>
  )
}
