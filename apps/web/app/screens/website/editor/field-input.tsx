import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { createContext, use, useId } from 'react'
import type { Language } from '@wakestone/contract/values'
import type { TextIn } from '@wakestone/contract/websites/content'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import classes from './editor.module.css'
import type { FieldSpec } from './field-specs.ts'
import { ImageInput } from './image-input.tsx'

/** What fields are filled in with. */
export type Writing = {
  /** In which one writes. */
  language: Language
  /** What stands in for texts that are missing. */
  firstLanguage: Language
  servers: readonly { id: string; name: string }[]
  /** What is wrong with a value, by its dotted path within the block. */
  faults: ReadonlyMap<string, string>
}
export const WritingContext = createContext<Writing | null>(null)
export function useWriting(): Writing {
  const writing = use(WritingContext)
  if (writing === null) throw new Error('nothing is written here')
  return writing
}

/** What every link out of a website begins with. */
const secure = 'https://'

type Props = { spec: FieldSpec; value: unknown; path: string; onChange: (value: unknown) => void }

/** One field of a block, whatever it is. */
export function FieldInput({ spec, value, path, onChange }: Props) {
  const { t } = useTranslation()
  const { language, firstLanguage, servers, faults } = useWriting()
  const label = t(`websites.fields.${spec.label}`)
  const inLanguage = `${path}.${language}`
  const error = (at: string) => {
    const fault = faults.get(at)
    return fault === undefined ? undefined : <Fault code={fault} />
  }
  switch (spec.kind) {
    case 'line':
    case 'text':
    case 'markdown': {
      const texts = value as TextIn
      const shared = {
        label,
        value: texts[language],
        maxLength: spec.most,
        placeholder: language === firstLanguage ? undefined : texts[firstLanguage],
        error: error(inLanguage),
        lang: language,
        onChange: (event: { currentTarget: { value: string } }) =>
          onChange({ ...texts, [language]: event.currentTarget.value }),
      }
      if (spec.kind === 'line') return <TextInput {...shared} />
      return (
        <Textarea
          {...shared}
          autosize
          minRows={spec.kind === 'markdown' ? 5 : 2}
          maxRows={14}
          description={spec.kind === 'markdown' ? t('websites.markdownHint') : undefined}
        />
      )
    }
    case 'plain':
      return (
        <TextInput
          label={label}
          value={value as string}
          maxLength={spec.most}
          error={error(path)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'link':
      return (
        <TextInput
          label={label}
          value={value as string}
          maxLength={500}
          inputMode="url"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={secure}
          description={spec.isOuter === true ? t('websites.outerLinkHint') : t('websites.linkHint')}
          error={error(path)}
          onChange={(event) => onChange(event.currentTarget.value.trim())}
        />
      )
    case 'flag':
      return (
        <Checkbox label={label} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
      )
    case 'date':
      return (
        <TextInput
          type="date"
          label={label}
          value={value as string}
          error={error(path)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'choice':
      return (
        <NativeSelect
          label={label}
          value={value as string}
          data={spec.options.map((option) => ({ value: option.value, label: t(`websites.fields.${option.label}`) }))}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'server':
      return (
        <NativeSelect
          label={label}
          value={value as string}
          error={error(path)}
          description={servers.length === 0 ? t('websites.noServers') : undefined}
          data={[
            { value: '', label: t('websites.noServerChosen') },
            ...servers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'image':
      return <ImageInput label={label} value={value as string} onChange={onChange} />
    case 'group':
      return (
        <fieldset className={classes['group']}>
          <legend>{label}</legend>
          <FieldInputs fields={spec.fields} value={value as Record<string, unknown>} path={path} onChange={onChange} />
        </fieldset>
      )
    case 'list':
      return <ListInput spec={spec} value={value as object[]} path={path} onChange={onChange} />
  }
}

export function FieldInputs({
  fields,
  value,
  path = '',
  onChange,
}: {
  fields: readonly FieldSpec[]
  value: Record<string, unknown>
  path?: string
  onChange: (value: Record<string, unknown>) => void
}) {
  return fields.map((spec) => (
    <FieldInput
      key={spec.name}
      spec={spec}
      value={value[spec.name]}
      path={path === '' ? spec.name : `${path}.${spec.name}`}
      onChange={(changed) => onChange({ ...value, [spec.name]: changed })}
    />
  ))
}

function ListInput({
  spec,
  value,
  path,
  onChange,
}: Omit<Props, 'spec' | 'value'> & { spec: FieldSpec & { kind: 'list' }; value: object[] }) {
  const { t } = useTranslation()
  const id = useId()
  const item = t(`websites.fields.${spec.item}`)
  const swap = (from: number, to: number) => {
    const next = [...value]
    const [moved] = next.splice(from, 1)
    if (moved !== undefined) next.splice(to, 0, moved)
    onChange(next)
  }
  return (
    <section className={classes['group']} aria-labelledby={id}>
      <h3 id={id} className={classes['legend']}>
        {t(`websites.fields.${spec.label}`)}
      </h3>
      {value.map((entry, index) => {
        const name = t('websites.itemName', { name: item, number: index + 1 })
        return (
          <fieldset key={index} className={classes['item']}>
            <legend>{name}</legend>
            <FieldInputs
              fields={spec.fields}
              value={entry as Record<string, unknown>}
              path={`${path}.${index}`}
              onChange={(changed) => onChange(value.with(index, changed))}
            />
            <span className={classes['tools']}>
              <button
                type="button"
                className={classes['tool']}
                disabled={index === 0}
                aria-label={t('websites.up', { name })}
                onClick={() => swap(index, index - 1)}
              >
                <IconArrowUp size={18} />
              </button>
              <button
                type="button"
                className={classes['tool']}
                disabled={index === value.length - 1}
                aria-label={t('websites.down', { name })}
                onClick={() => swap(index, index + 1)}
              >
                <IconArrowDown size={18} />
              </button>
              <button
                type="button"
                className={classes['tool']}
                aria-label={t('websites.remove', { name })}
                onClick={() => onChange(value.toSpliced(index, 1))}
              >
                <IconTrash size={18} />
              </button>
            </span>
          </fieldset>
        )
      })}
      <Button
        size="small"
        icon={<IconPlus size={16} />}
        why={value.length >= spec.most ? t('websites.fullList', { most: spec.most }) : undefined}
        onClick={() => onChange([...value, spec.empty()])}
      >
        {t('websites.addItem', { name: item })}
      </Button>
    </section>
  )
}

function Fault({ code }: { code: string }) {
  const { t } = useTranslation()
  switch (code) {
    case 'https_link':
      return t('websites.faults.https_link')
    case 'unseen_characters':
      return t('websites.faults.unseen_characters')
    case 'one_line':
      return t('websites.faults.one_line')
    default:
      return t('websites.faults.other')
  }
}
