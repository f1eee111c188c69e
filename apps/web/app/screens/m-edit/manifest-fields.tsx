import { ActionIcon, Autocomplete, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { searchProjects } from '@wakestone/contract/marketplace/projects-routes'
import { listReleases } from '@wakestone/contract/marketplace/releases-routes'
import { readRange } from '@wakestone/packager/versions/range'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import classes from './edit.module.css'
import {
  type DependencyDraft,
  type DependencyKind,
  dependencyKinds,
  dependencyProblem,
  type ManifestDraft,
  newRow,
} from './manifest-draft.ts'

/** The same in every language. */
const samples = { folder: 'plugins', variable: 'SHOPS_MODE' }

/** What a release needs, said so that nobody has to know what a manifest is; and for those who do, the rest of it. */
export function ManifestFields({
  draft,
  onChange,
}: {
  draft: ManifestDraft
  onChange: (draft: ManifestDraft) => void
}) {
  const { t } = useTranslation()
  const { dependencies, provides, environment } = draft
  const put = <Row extends { id: number }>(rows: readonly Row[], row: Row) =>
    rows.map((one) => (one.id === row.id ? row : one))
  return (
    <div className={classes['fields']}>
      <p className={classes['muted']}>{t('market.manifest.text')}</p>
      {dependencies.map((row) => (
        <DependencyRow
          key={row.id}
          row={row}
          onChange={(next) => onChange({ ...draft, dependencies: put(dependencies, next) })}
          onRemove={() => onChange({ ...draft, dependencies: dependencies.filter(({ id }) => id !== row.id) })}
        />
      ))}
      <div className={classes['actions']}>
        <Button
          size="small"
          icon={<IconPlus size={16} aria-hidden="true" />}
          onClick={() =>
            onChange({
              ...draft,
              dependencies: [...dependencies, { id: newRow(), name: '', expr: '', kind: 'required' }],
            })
          }
        >
          {t('market.manifest.addDependency')}
        </Button>
      </div>
      <details className={classes['more']}>
        <summary>{t('market.manifest.more')}</summary>
        <div className={classes['fields']}>
          <TextInput
            label={t('market.manifest.folder')}
            description={t('market.manifest.folderHint')}
            placeholder={samples.folder}
            value={draft.subdir}
            onChange={(event) => onChange({ ...draft, subdir: event.currentTarget.value })}
          />
          <fieldset className={classes['group']}>
            <legend>{t('market.manifest.provides')}</legend>
            <p className={classes['muted']}>{t('market.manifest.providesHint')}</p>
            {provides.map((row, index) => (
              <div key={row.id} className={classes['row']}>
                <TextInput
                  label={t('market.manifest.providedName', { place: index + 1 })}
                  value={row.name}
                  onChange={(event) =>
                    onChange({ ...draft, provides: put(provides, { ...row, name: event.currentTarget.value }) })
                  }
                />
                <TextInput
                  label={t('market.form.version')}
                  value={row.version}
                  onChange={(event) =>
                    onChange({ ...draft, provides: put(provides, { ...row, version: event.currentTarget.value }) })
                  }
                />
                <RemoveRow
                  label={t('market.manifest.removeOne', { name: row.name })}
                  onRemove={() => onChange({ ...draft, provides: provides.filter(({ id }) => id !== row.id) })}
                />
              </div>
            ))}
            <Button
              size="small"
              icon={<IconPlus size={16} aria-hidden="true" />}
              onClick={() => onChange({ ...draft, provides: [...provides, { id: newRow(), name: '', version: '' }] })}
            >
              {t('market.manifest.addProvided')}
            </Button>
          </fieldset>
          <fieldset className={classes['group']}>
            <legend>{t('market.manifest.environment')}</legend>
            {environment.map((row, index) => (
              <div key={row.id} className={classes['row']}>
                <TextInput
                  label={t('market.manifest.variable', { place: index + 1 })}
                  placeholder={samples.variable}
                  value={row.key}
                  onChange={(event) =>
                    onChange({ ...draft, environment: put(environment, { ...row, key: event.currentTarget.value }) })
                  }
                />
                <TextInput
                  label={t('market.manifest.value')}
                  value={row.value}
                  onChange={(event) =>
                    onChange({ ...draft, environment: put(environment, { ...row, value: event.currentTarget.value }) })
                  }
                />
                <RemoveRow
                  label={t('market.manifest.removeOne', { name: row.key })}
                  onRemove={() => onChange({ ...draft, environment: environment.filter(({ id }) => id !== row.id) })}
                />
              </div>
            ))}
            <Button
              size="small"
              icon={<IconPlus size={16} aria-hidden="true" />}
              onClick={() =>
                onChange({ ...draft, environment: [...environment, { id: newRow(), key: '', value: '' }] })
              }
            >
              {t('market.manifest.addVariable')}
            </Button>
          </fieldset>
        </div>
      </details>
    </div>
  )
}

function RemoveRow({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <ActionIcon variant="subtle" aria-label={label} onClick={onRemove}>
      <IconX size={18} aria-hidden="true" />
    </ActionIcon>
  )
}

function DependencyRow({
  row,
  onChange,
  onRemove,
}: {
  row: DependencyDraft
  onChange: (row: DependencyDraft) => void
  onRemove: () => void
}) {
  const { t } = useTranslation()
  const [isChecked, setChecked] = useState(false)
  const found = useSuggestions(row.name)
  const problem = isChecked ? dependencyProblem(row) : undefined
  const versions = useReleases(found.some(({ slug }) => slug === row.name) ? row.name : undefined)
  const names = new Map(found.map(({ slug, name }) => [slug, name]))
  return (
    <div className={classes['dependency']}>
      <div className={classes['row']}>
        <Autocomplete
          label={t('market.manifest.needed')}
          placeholder={t('market.manifest.neededHint')}
          data={found.map(({ slug }) => slug)}
          filter={({ options }) => options}
          renderOption={({ option }) => (
            <span>
              {names.get(option.value) ?? option.value} <code>{option.value}</code>
            </span>
          )}
          value={row.name}
          error={problem === 'name' ? t('market.manifest.badName') : undefined}
          onChange={(name) => onChange({ ...row, name })}
          onBlur={() => setChecked(row.name !== '')}
        />
        <TextInput
          label={t('market.manifest.range')}
          placeholder=">=1.2 <2"
          spellCheck={false}
          value={row.expr}
          error={problem === 'range' ? t('market.manifest.badRange') : undefined}
          onChange={(event) => onChange({ ...row, expr: event.currentTarget.value })}
          onBlur={() => setChecked(row.name !== '' || row.expr !== '')}
        />
        <NativeSelect
          label={t('market.manifest.kind')}
          value={row.kind}
          data={dependencyKinds.map((kind) => ({ value: kind, label: t(`market.deps.kinds.${kind}`) }))}
          onChange={(event) => onChange({ ...row, kind: event.currentTarget.value as DependencyKind })}
        />
        <RemoveRow label={t('market.manifest.removeOne', { name: row.name })} onRemove={onRemove} />
      </div>
      <p className={classes['muted']}>
        {t(`market.manifest.kindHints.${row.kind}`)} <Matching versions={versions} expr={row.expr} />
      </p>
    </div>
  )
}

/** Which releases a range takes, as far as they are known. */
function Matching({ versions, expr }: { versions: readonly string[]; expr: string }) {
  const { t } = useTranslation()
  if (versions.length === 0) return null
  const text = expr.trim() === '' ? '*' : expr.trim()
  if (dependencyProblem({ name: 'name', expr: text }) !== undefined) return null
  const isIn = readRange(text, 'semver')
  const taken = versions.filter((version) => isIn(version))
  return taken.length === 0
    ? t('market.manifest.matchesNone')
    : t('market.manifest.matches', { versions: taken.slice(0, 6).join(', ') })
}

const pauseMilliseconds = 250

/** Projects whose name or address begins like what is typed. */
function useSuggestions(typed: string): readonly { slug: string; name: string }[] {
  const [found, setFound] = useState<readonly { slug: string; name: string }[]>([])
  useEffect(() => {
    if (typed.trim().length < 2) return setFound([])
    let isLatest = true
    const timer = setTimeout(() => {
      api(searchProjects, { query: { name: typed.replaceAll('-', ' '), limit: 8 } }).then(
        ({ projects }) => isLatest && setFound(projects.map(({ slug, name }) => ({ slug, name }))),
        // Whoever knows the name can go on typing it.
        () => isLatest && setFound([]),
      )
    }, pauseMilliseconds)
    return () => {
      isLatest = false
      clearTimeout(timer)
    }
  }, [typed])
  return found
}

function useReleases(slug: string | undefined): readonly string[] {
  const [known, setKnown] = useState<{ slug: string; versions: string[] }>()
  useEffect(() => {
    if (slug === undefined || known?.slug === slug) return
    let isLatest = true
    api(listReleases, { params: { slug }, query: { limit: 50 } }).then(
      ({ releases }) => isLatest && setKnown({ slug, versions: releases.map(({ version }) => version) }),
      () => isLatest && setKnown({ slug, versions: [] }),
    )
    return () => {
      isLatest = false
    }
  }, [slug, known])
  return known !== undefined && known.slug === slug ? known.versions : []
}
