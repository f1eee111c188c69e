import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { z } from 'zod'
import { createReleaseBody } from '@wakestone/contract/marketplace/release'
import {
  type PackageLoader,
  packageLoaders,
  projectLimits,
  type ReleaseType,
  releaseTypes,
} from '@wakestone/contract/marketplace/values'
import { MarkdownField } from './markdown-field.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import type { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './release-fields.module.css'

export const versionsOf = (text: string) => [...new Set(text.split(/[\s,]+/).filter((word) => word !== ''))]

export const releaseFormSchema = z.object({
  version: createReleaseBody.shape.version,
  release_type: z.enum(releaseTypes),
  description: z.string().max(projectLimits.notes, 'too_long'),
  game_versions: z
    .string()
    .refine((text) => createReleaseBody.shape.game_versions.safeParse(versionsOf(text)).success, 'game_version'),
})

/** What a release is, for whom, and what is new in it. */
export function ReleaseFields({
  form,
  loaders,
  onLoaders,
}: {
  form: ReturnType<typeof useZodForm<typeof releaseFormSchema>>
  loaders: readonly PackageLoader[]
  onLoaders: (loaders: PackageLoader[]) => void
}) {
  const { t } = useTranslation()
  return (
    <div className={classes['fields']}>
      <TextInput label={t('market.form.version')} placeholder="1.0.0" maxLength={64} {...form.field('version')} />
      <ChannelField
        value={form.values.release_type}
        offered={releaseTypes}
        onChange={(channel) => form.set('release_type', channel)}
      />
      <Checkbox.Group
        label={t('market.loader')}
        value={[...loaders]}
        onChange={(chosen) => onLoaders(packageLoaders.filter((one) => chosen.includes(one)))}
      >
        <div className={classes['loaders']}>
          {packageLoaders.map((one) => (
            <Checkbox key={one} value={one} label={t(`market.loaders.${one}`)} />
          ))}
        </div>
      </Checkbox.Group>
      <TextInput
        label={t('market.form.gameVersions')}
        description={t('market.form.gameVersionsHint')}
        placeholder="1.21.4, 1.21.5"
        {...form.field('game_versions')}
      />
      <MarkdownField label={t('market.form.notes')} minRows={5} {...form.field('description')} />
    </div>
  )
}

/** Who gets a release. */
export function ChannelField({
  value,
  offered,
  onChange,
}: {
  value: ReleaseType
  offered: readonly ReleaseType[]
  onChange: (channel: ReleaseType) => void
}) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      label={t('market.form.channel')}
      description={t(`market.form.channelHints.${value}`)}
      value={value}
      data={offered.map((one) => ({ value: one, label: t(`market.releaseTypes.${one}`) }))}
      onChange={(event) => onChange(event.currentTarget.value as ReleaseType)}
    />
  )
}
