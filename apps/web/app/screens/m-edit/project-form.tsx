import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import {
  changeProjectBody,
  createProjectBody,
  type Project,
  projectSchema,
} from '@wakestone/contract/marketplace/project'
import { isGoodSlug, projectNameSchema, slugFromName, websiteSchema } from '@wakestone/contract/marketplace/schemas'
import { projectLimits, projectTypes, projectVisibilities } from '@wakestone/contract/marketplace/values'
import type { Language } from '@wakestone/contract/values'
import { languages } from '@wakestone/contract/values'
import { changeProject, createProject } from '@wakestone/contract/marketplace/projects-routes'
import { canCreateProjectWithoutSuffix } from '@wakestone/contract/capabilities'
import { sendWithFiles } from '#app/api/send-with-files.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { MarkdownField } from '#app/features/market/markdown-field.tsx'
import classes from './edit.module.css'
import { MediaCard } from './media-card.tsx'
import { filesOf, mediaProblem, noMedia } from './media-files.ts'

const wordsOf = (text: string) => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((word) => word !== ''),
  ),
]
const short = z.string().trim().max(projectLimits.shortDescription.max, 'short_description')
const long = z.string().max(projectLimits.description, 'too_long')

const fields = z.object({
  name: projectNameSchema,
  project_type: z.enum(projectTypes),
  labels: z.string().refine((text) => createProjectBody.shape.labels.safeParse(wordsOf(text)).success, 'label'),
  author_name: z.string().trim().min(1, 'required').max(projectLimits.authorName, 'too_long'),
  website_url: z.union([z.literal(''), websiteSchema], 'url'),
  license: z.string().max(64, 'too_long'),
  /** Of a new one; empty: made of its name. */
  slug: z.string().refine((text) => text === '' || isGoodSlug(text), 'slug'),
  visibility: z.enum(projectVisibilities),
  archived: z.boolean(),
  short_en: short,
  short_pl: short,
  short_de: short,
  text_en: long,
  text_pl: long,
  text_de: long,
})
type Values = z.output<typeof fields>

/** A long text without its sentence would be lost: the gallery has nothing to show of it. */
const schema = fields.superRefine((values, context) => {
  for (const one of languages)
    if (values[`short_${one}`] === '' && values[`text_${one}`].trim() !== '')
      context.addIssue({ code: 'custom', path: [`short_${one}`], message: 'required' })
})

/** The texts, those of the original's language first. */
function descriptionsOf(values: Values, original: Language) {
  return [original, ...languages.filter((one) => one !== original)]
    .map((language) => ({
      language,
      short_description: values[`short_${language}`],
      description: values[`text_${language}`],
    }))
    .filter((one) => one.short_description !== '')
}

/** Makes a project, or changes one; `onSaved` is told of what there is then. */
export function ProjectForm({
  project,
  authorName = '',
  language,
  onSaved,
}: {
  project?: Project
  /** What the author of a new one has been called so far. */
  authorName?: string
  language: Language
  onSaved: (project: Project) => void
}) {
  const { t } = useTranslation()
  const original = project?.descriptions.find((one) => one.is_original)?.language ?? language
  const textOf = (one: Language) => project?.descriptions.find((text) => text.language === one && !text.is_machine)
  const form = useZodForm(schema, {
    name: project?.name ?? '',
    project_type: project?.project_type ?? 'plugin',
    labels: project?.labels.join(', ') ?? '',
    author_name: project?.author_info.author_name ?? authorName,
    website_url: project?.author_info.website_url ?? '',
    license: project?.license ?? '',
    slug: '',
    visibility: project?.visibility ?? 'public',
    archived: project?.archived_at != null,
    short_en: textOf('en')?.short_description ?? '',
    short_pl: textOf('pl')?.short_description ?? '',
    short_de: textOf('de')?.short_description ?? '',
    text_en: textOf('en')?.description ?? '',
    text_pl: textOf('pl')?.description ?? '',
    text_de: textOf('de')?.description ?? '',
  })
  const [chosen, setChosen] = useState(noMedia)
  const [shown, setShown] = useState<Language>(original)
  const submit = form.submit(async (values) => {
    const { name, project_type, license, visibility, archived } = values
    const body = {
      name,
      project_type,
      labels: wordsOf(values.labels),
      author_info: { author_name: values.author_name, website_url: values.website_url || null },
      license: license === '' ? null : license,
      visibility,
      descriptions: descriptionsOf(values, original),
    }
    const files = filesOf(chosen)
    if (project !== undefined)
      return onSaved(
        await sendWithFiles(changeProject, {
          params: { slug: project.slug },
          body: changeProjectBody.parse({ ...body, archived }),
          files,
          answer: projectSchema,
        }),
      )
    const made = createProjectBody.parse({ ...body, ...(values.slug !== '' && { slug: values.slug }) })
    try {
      onSaved(await sendWithFiles(createProject, { body: made, files, answer: projectSchema }))
    } catch (error) {
      const code = errorBodyOf(error)?.error
      if (code === 'resource_already_exists') return form.refuse('slug', 'taken')
      if (code === 'market_project_bad_slug') return form.refuse('slug', 'slug')
      throw error
    }
  })
  const isMoreWrong = (['labels', 'website_url', 'license'] as const).some((name) => form.isWrong(name))
  const isBad = mediaProblem(chosen, project?.media ?? []) !== undefined
  return (
    <form
      className={classes['form']}
      noValidate
      onSubmit={(event) => {
        // What is wrong in another language is shown, not looked for.
        const lacking = languages.find(
          (one) => form.values[`short_${one}`] === '' && form.values[`text_${one}`].trim() !== '',
        )
        if (lacking !== undefined) setShown(lacking)
        void submit(event)
      }}
    >
      <Card title={t('market.form.basics')}>
        <div className={classes['fields']}>
          <TextInput label={t('market.form.name')} maxLength={64} {...form.field('name')} />
          <NativeSelect
            label={t('market.type')}
            value={form.values.project_type}
            data={projectTypes.map((type) => ({ value: type, label: t(`market.types.${type}`) }))}
            onChange={(event) => form.set('project_type', event.currentTarget.value as Values['project_type'])}
          />
          {project === undefined && <AddressField form={form} />}
          <TextInput
            label={t('market.form.authorName')}
            description={t('market.form.authorHint')}
            maxLength={projectLimits.authorName}
            {...form.field('author_name')}
          />
          <NativeSelect
            label={t('market.form.visibility')}
            description={t(`market.form.visibilityHints.${form.values.visibility}`)}
            value={form.values.visibility}
            data={projectVisibilities.map((one) => ({ value: one, label: t(`market.form.visibilities.${one}`) }))}
            onChange={(event) => form.set('visibility', event.currentTarget.value as Values['visibility'])}
          />
        </div>
      </Card>
      <Card title={t('market.form.texts')} beside={t('market.form.textsHint')}>
        <div className={classes['languages']} role="group" aria-label={t('shell.language')}>
          {languages.map((one) => (
            <Button
              key={one}
              size="small"
              look={one === shown ? 'secondary' : 'quiet'}
              aria-pressed={one === shown}
              onClick={() => setShown(one)}
            >
              {t(`market.languages.${one}`)}
              {one === original ? ` · ${t('market.form.original')}` : ''}
              {form.isWrong(`short_${one}`) || form.isWrong(`text_${one}`) ? ' !' : ''}
            </Button>
          ))}
        </div>
        <div className={classes['fields']} key={shown}>
          <TextInput label={t('market.form.short')} maxLength={255} {...form.field(`short_${shown}`)} />
          <MarkdownField label={t('market.form.long')} minRows={8} {...form.field(`text_${shown}`)} />
        </div>
      </Card>
      <MediaCard project={project} chosen={chosen} onChange={setChosen} />
      {/* None of it is needed to begin with. */}
      <details className={classes['more']} open={project !== undefined || isMoreWrong || undefined}>
        <summary>{t('market.form.more')}</summary>
        <div>
          <Card>
            <div className={classes['fields']}>
              <TextInput
                label={t('market.labels')}
                description={t('market.form.labelsHint')}
                {...form.field('labels')}
              />
              <TextInput label={t('market.website')} type="url" {...form.field('website_url')} />
              <TextInput label={t('market.licence')} placeholder="MIT" maxLength={64} {...form.field('license')} />
              {project !== undefined && (
                <Checkbox
                  label={t('market.form.archived')}
                  checked={form.values.archived}
                  onChange={(event) => form.set('archived', event.currentTarget.checked)}
                />
              )}
            </div>
          </Card>
        </div>
      </details>
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      <div className={classes['actions']}>
        <Button type="submit" look="primary" loading={form.busy} why={isBad ? t('market.form.mediaBad') : undefined}>
          {project === undefined ? t('market.form.create') : t('market.form.save')}
        </Button>
      </div>
    </form>
  )
}

/** Where the project will be found: made of its name, unless another one is typed. */
function AddressField({ form }: { form: ReturnType<typeof useZodForm<typeof schema>> }) {
  const { t } = useTranslation()
  const path = usePath()
  const { user_capabilities: capabilities } = useSignedInUser()
  const address = form.values.slug || slugFromName(form.values.name)
  const isKept = canCreateProjectWithoutSuffix(capabilities)
  return (
    <TextInput
      label={t('market.form.address')}
      description={
        address === ''
          ? t('market.form.addressOfName')
          : isKept
            ? t('market.form.addressHint', { address: path(`/m/${address}`) })
            : t('market.form.addressSuffix', { address: path(`/m/${address}-`) })
      }
      placeholder={slugFromName(form.values.name)}
      maxLength={projectLimits.slug.max}
      spellCheck={false}
      autoComplete="off"
      {...form.field('slug')}
    />
  )
}
