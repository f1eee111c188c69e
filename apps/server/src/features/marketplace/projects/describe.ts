/** How projects are shown. */
import type { Language } from '@wakestone/contract/primitives'
import type { Project, ProjectSummary } from '@wakestone/contract/marketplace/project'
import type { PackageLoader } from '@wakestone/contract/marketplace/values'
import type { Handle } from '#src/db/client.ts'
import type { Caller, FoundProject } from './policy.ts'
import * as repo from './repo.ts'

export const mediaUrl = (projectId: string, name: string) => `/marketplace-media/${projectId}/${name}`

/** In the order of the ids. */
export async function describeProjects(
  db: Handle,
  ids: readonly string[],
  language: Language,
): Promise<ProjectSummary[]> {
  const [rows, texts, media, latest, translations] = await Promise.all([
    repo.selectProjects(db, ids),
    repo.selectShortDescriptions(db, ids),
    repo.selectMedia(db, ids),
    repo.selectLatest(db, ids),
    repo.selectTranslations(db, ids),
  ])
  const projects = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = projects.get(id)
    if (row === undefined) return []
    const own = texts.filter((text) => text.project_id === id)
    const made = translations.filter((text) => text.project_id === id)
    const text =
      [...own, ...made].find((one) => one.language === language) ?? own.find((one) => one.is_original) ?? own[0]
    const newest = latest.find((one) => one.project_id === id)
    return [
      {
        id,
        slug: row.slug,
        name: row.name,
        project_type: row.project_type,
        game_tags: row.game_tags,
        labels: row.labels,
        short_description: text?.short_description ?? '',
        author_info: { author_name: row.author_name, website_url: row.website_url },
        media: media.filter((one) => one.project_id === id).map(showMedia),
        visibility: row.visibility,
        visible: row.visibility === 'public' && row.taken_down_at === null && newest !== undefined,
        verified_at: row.verified_at?.toISOString() ?? null,
        created_at: row.created_at.toISOString(),
        updated_at: row.updated_at.toISOString(),
        archived_at: row.archived_at?.toISOString() ?? null,
        latest_release:
          newest === undefined
            ? null
            : {
                id: newest.id,
                version: newest.version,
                release_type: newest.release_type,
                created_at: newest.published_at.toISOString(),
                game_versions: newest.game_versions,
                loaders: newest.loaders as PackageLoader[],
              },
        downloads: row.downloads,
        follows: row.follows,
        reviews: { recommend: row.recommended, not_recommend: row.not_recommended },
      },
    ]
  })
}

const showMedia = ({ project_id, name, kind, width, height }: repo.MediaRow) => ({
  name,
  kind,
  url: mediaUrl(project_id, name),
  width,
  height,
})

/** With all that its page shows; what is for members only, for them alone. */
export async function describeProject(
  db: Handle,
  { project, role, isMember }: FoundProject,
  { caller, language }: { caller: Caller; language: Language },
): Promise<Project> {
  const { id } = project
  const [[summary], texts, translations, members, followed] = await Promise.all([
    describeProjects(db, [id], language),
    repo.selectDescriptions(db, [id]),
    repo.selectTranslations(db, [id]),
    repo.selectMembers(db, id),
    caller === undefined ? false : repo.isFollowed(db, id, caller.userId),
  ])
  return {
    ...(summary as ProjectSummary),
    descriptions: [
      ...texts
        .toSorted((one, other) => Number(other.is_original) - Number(one.is_original))
        .map((text) => ({ ...text, is_machine: false })),
      ...translations.map((text) => ({ ...text, is_original: false, is_machine: true })),
    ].map(({ language: written, short_description, description, html, is_original, is_machine }) => ({
      language: written,
      short_description,
      description,
      html,
      is_original,
      is_machine,
    })),
    project_members: members,
    license: project.license,
    translation_prompt: isMember ? project.translation_prompt : null,
    views: project.views,
    role: role ?? null,
    is_followed: followed,
    takedown:
      isMember && project.taken_down_at !== null
        ? { reason: project.takedown_reason ?? '', at: project.taken_down_at.toISOString() }
        : null,
  }
}
