import { IconChevronRight, IconServer } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from '../files.module.css'
import { nameOf, trailOf } from '../paths.ts'
import { useFiles } from '../use-files.ts'
import { type DropHandlers, dropTarget } from './drag-files.ts'

/** Where one is; each folder above can be gone to, and takes what is dropped on it. */
export function Breadcrumbs({ drop }: { drop: DropHandlers }) {
  const { t } = useTranslation()
  const { folder, folderLink, why } = useFiles()
  return (
    <nav className={classes['crumbs']} aria-label={t('files.path')}>
      <ol>
        {trailOf(folder).map((path) => (
          <li key={path}>
            {path !== '' && <IconChevronRight size={14} aria-hidden />}
            {path === folder ? (
              <span aria-current="page">{path === '' ? <Top /> : nameOf(path)}</span>
            ) : (
              <Link to={folderLink(path)} {...dropTarget(path, drop, why)}>
                {path === '' ? <Top /> : nameOf(path)}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

function Top() {
  const { t } = useTranslation()
  return (
    <>
      <IconServer size={16} aria-hidden />
      {t('files.top')}
    </>
  )
}
