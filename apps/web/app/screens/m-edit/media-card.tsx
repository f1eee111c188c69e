import { useRevalidator } from 'react-router'
import type { Project } from '@wakestone/contract/marketplace/project'
import { deleteProjectMedia } from '@wakestone/contract/marketplace/projects-routes'
import { projectLimits } from '@wakestone/contract/marketplace/values'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { FileDrop } from '#app/ui/file-drop.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { ChosenFile } from './chosen-file.tsx'
import classes from './edit.module.css'
import { type ChosenMedia, mediaProblem } from './media-files.ts'

const pictures = 'image/png,image/jpeg,image/webp,image/gif'

/** Pictures and videos that a project shows, and those that come with the next save. */
export function MediaCard({
  project,
  chosen,
  onChange,
}: {
  project: Project | undefined
  chosen: ChosenMedia
  onChange: (chosen: ChosenMedia) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const problem = mediaProblem(chosen, project?.media ?? [])
  return (
    <Card title={t('market.form.pictures')} beside={t('market.form.picturesHint')}>
      <div className={classes['fields']}>
        {project !== undefined && project.media.length > 0 && <Shown project={project} />}
        <div className={classes['drops']}>
          {(['icon', 'thumbnail', 'image', 'video'] as const).map((kind) => {
            const isMany = kind === 'image' || kind === 'video'
            return (
              <div key={kind} className={classes['dropped']}>
                <FileDrop
                  label={t(`market.form.choose.${kind}`)}
                  hint={t(isMany ? 'market.form.dropMany' : 'market.form.dropOne')}
                  accept={kind === 'video' ? 'video/webm' : pictures}
                  multiple={isMany}
                  onFiles={(files) => onChange({ ...chosen, [kind]: isMany ? [...chosen[kind], ...files] : files })}
                />
                {chosen[kind].map((file, index) => (
                  <ChosenFile
                    key={`${file.name} ${index}`}
                    file={file}
                    onRemove={() => onChange({ ...chosen, [kind]: chosen[kind].filter((one) => one !== file) })}
                  />
                ))}
              </div>
            )
          })}
        </div>
        {problem !== undefined && (
          <p className={classes['problem']} role="alert">
            {problem.kind === 'size'
              ? t('market.form.mediaTooLarge', { name: problem.name, size: format.bytes(problem.most) })
              : t(problem.of === 'video' ? 'market.form.tooManyVideos' : 'market.form.tooManyImages', {
                  count: problem.of === 'video' ? projectLimits.videos : projectLimits.images,
                })}
          </p>
        )}
      </div>
    </Card>
  )
}

function Shown({ project }: { project: Project }) {
  const { t } = useTranslation()
  const revalidator = useRevalidator()
  const remove = (name: string) =>
    void api(deleteProjectMedia, { params: { slug: project.slug, name } }).then(
      () => revalidator.revalidate(),
      (error: unknown) => showErrorToast(error),
    )
  return (
    <ul className={classes['pictures']}>
      {project.media.map((one) => (
        <li key={one.name}>
          {one.kind === 'video' ? (
            // oxlint-disable-next-line jsx-a11y/media-has-caption
            <video src={one.url} controls preload="none" aria-label={t('market.form.video')} />
          ) : (
            <img
              src={one.url}
              width={one.width ?? 16}
              height={one.height ?? 9}
              alt={t(`market.form.${one.kind === 'icon' || one.kind === 'thumbnail' ? one.kind : 'image'}`)}
            />
          )}
          <span className={classes['muted']}>{t(`market.form.${one.kind}`)}</span>
          <Button size="small" look="quiet" onClick={() => remove(one.name)}>
            {t('market.form.remove')}
          </Button>
        </li>
      ))}
    </ul>
  )
}
