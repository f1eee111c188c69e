import { Link } from 'react-router'
import type { Release } from '@wakestone/contract/marketplace/release'
import { type ProjectRole, roleHasRight } from '@wakestone/contract/marketplace/values'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'

/** A link to the release’s form, for members who may publish releases. */
export default function ReleaseEditLink({
  slug,
  role,
  release,
}: {
  slug: string
  role: ProjectRole
  release: Release
}) {
  const { t } = useTranslation()
  const path = usePath()
  if (!roleHasRight(role, 'release')) return null
  return (
    <p>
      <Link to={path(`/m/${slug}/releases/edit/${release.id}`)}>
        {t(release.state === 'draft' ? 'market.form.finishRelease' : 'market.form.editRelease')}
      </Link>
    </p>
  )
}
