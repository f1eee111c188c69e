import type { ProjectSummary } from '@wakestone/contract/marketplace/project'
import { NamePixels } from '#app/ui/name-pixels.tsx'
import classes from './market.module.css'

/** The picture of a project; without one, pixels of its name. */
export function ProjectIcon({ project, size }: { project: Pick<ProjectSummary, 'media' | 'slug'>; size: number }) {
  const icon = project.media.find(({ kind }) => kind === 'icon')
  if (icon === undefined) return <NamePixels name={project.slug} size={size} />
  return <img className={classes['icon']} src={icon.url} width={size} height={size} alt="" loading="lazy" />
}
