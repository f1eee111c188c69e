import { Link } from 'react-router'
import type { Project } from '@wakestone/contract/marketplace/project'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import classes from './project.module.css'

/** What there is to know at a glance. */
export function ProjectFacts({ project }: { project: Project }) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const { latest_release: release, author_info, reviews } = project
  const owner = project.project_members.find(({ role }) => role === 'owner')
  const said = reviews.recommend + reviews.not_recommend
  return (
    <aside className={classes['aside']}>
      <Card title={t('market.facts')}>
        <KeyValueList
          rows={[
            ...(owner === undefined
              ? []
              : [
                  {
                    key: t('market.author'),
                    value: (
                      <Link to={path(`/m/${owner.user_id}/projects`)}>
                        {author_info.author_name === '' ? t('market.authorProjects') : author_info.author_name}
                      </Link>
                    ),
                  },
                ]),
            ...(release === null
              ? []
              : [
                  { key: t('market.version'), value: release.game_versions.join(', ') },
                  {
                    key: t('market.loader'),
                    value: release.loaders.map((loader) => t(`market.loaders.${loader}`)).join(', '),
                  },
                  { key: t('market.updated'), value: <DateTime value={release.created_at} dateOnly /> },
                ]),
            { key: t('market.fileDownloads'), value: format.number(project.downloads) },
            { key: t('market.followers'), value: format.number(project.follows) },
            ...(said === 0 ? [] : [{ key: t('market.recommended'), value: format.percent(reviews.recommend / said) }]),
            ...(project.license === null ? [] : [{ key: t('market.licence'), value: project.license }]),
            ...(author_info.website_url === null
              ? []
              : [
                  {
                    key: t('market.website'),
                    value: (
                      <a href={author_info.website_url} rel="noopener nofollow ugc">
                        {new URL(author_info.website_url).host}
                      </a>
                    ),
                  },
                ]),
          ]}
        />
      </Card>
      {project.labels.length > 0 && (
        <Card title={t('market.labels')}>
          <ul className={classes['labels']}>
            {project.labels.map((label) => (
              <li key={label}>
                <Link to={path(`/m?label=${label}`)}>{label}</Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {/* By the names of their accounts: for those who work on it. */}
      {project.role !== null && (
        <Card title={t('market.members')}>
          <ul className={classes['people']}>
            {project.project_members.map((member) => (
              <li key={member.user_id}>
                <Link to={path(`/m/${member.user_id}/projects`)}>{member.username}</Link>
                <span>{t(`market.roles.${member.role}`)}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </aside>
  )
}
