import { NativeSelect } from '@mantine/core'
import { IconExternalLink, IconPackageImport, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { PackageProject } from '@wakestone/contract/servers/package-search'
import { engineName, gameOrEngineVersion } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { type AskedChange, askFor, askForNewest, askToRemove } from './package-change.ts'
import classes from './packages.module.css'
import { usePackages } from './use-packages.ts'

/** Which version, and what is installed now. */
export function InstallCard({ project }: { project: PackageProject }) {
  const { t } = useTranslation()
  const { server, installed, why } = usePackages()
  const [version, setVersion] = useState('')
  const [opened, setOpened] = useState<{ title: string; asked: AskedChange } | null>(null)
  const { engine } = server.parameters
  const game = gameOrEngineVersion(server)
  const { name, title, releases } = project
  const offered = releases.filter((one) => one.only_link === null)
  const newest = offered.find(({ channel, fits }) => channel === 'stable' && fits !== false)
  const present = installed.data?.find(({ Manifest: manifest }) => manifest['name'] === name)?.Manifest
  const presentVersion =
    present === undefined ? undefined : String(present['contentVersion'] ?? present['packageVersion'])
  const wanted = version === '' ? newest?.version : version
  const isThere = presentVersion !== undefined && (wanted === undefined || wanted === presentVersion)
  if (project.only_link || (releases.length > 0 && offered.length === 0))
    return (
      <Card>
        <div className={classes['plan']}>
          <p>{t('packages.onlyLinkText')}</p>
          <p>
            <a href={releases[0]?.only_link ?? project.url} rel="noopener noreferrer" target="_blank">
              {t('packages.openSource', { name: t(`packages.sources.${project.source}`) })}{' '}
              <IconExternalLink size={14} aria-hidden="true" />
            </a>
          </p>
        </div>
      </Card>
    )
  return (
    <Card>
      <div className={classes['choice']}>
        <NativeSelect
          label={t('packages.version')}
          value={version}
          data={[
            {
              value: '',
              label: newest === undefined ? t('packages.newestAny') : t('packages.newest', { version: newest.version }),
            },
            ...offered.map((one) => ({
              value: one.version,
              label:
                one.fits === false
                  ? t('packages.notForServer', { version: one.version, engine: engineName(engine), game })
                  : one.version,
            })),
          ]}
          onChange={(event) => setVersion(event.currentTarget.value)}
        />
        {isThere ? (
          <span className={classes['there']}>
            <Badge colour="moss" shape="filled">
              {t('packages.installedTag', { version: presentVersion })}
            </Badge>
          </span>
        ) : (
          <Button
            look="primary"
            icon={<IconPackageImport size={16} aria-hidden="true" />}
            why={
              offered.length === 0
                ? t('packages.notInstallable')
                : version === '' && newest === undefined
                  ? t('packages.fitsNothing', { engine: engineName(engine), version: game })
                  : why
            }
            onClick={() =>
              setOpened({
                title: t(presentVersion === undefined ? 'packages.installTitle' : 'packages.changeTitle', {
                  name: title,
                }),
                asked:
                  version === '' && presentVersion !== undefined
                    ? askForNewest(name)
                    : askFor(name, version === '' ? undefined : version),
              })
            }
          >
            {presentVersion === undefined || wanted === undefined
              ? t('packages.install')
              : t('packages.changeTo', { version: wanted })}
          </Button>
        )}
        {presentVersion !== undefined && (
          <>
            <Button
              icon={<IconTrash size={16} aria-hidden="true" />}
              why={why}
              onClick={() =>
                setOpened({ title: t('packages.uninstallTitle', { name: title }), asked: askToRemove([name]) })
              }
            >
              {t('packages.uninstall')}
            </Button>
            {!isThere && <p className={classes['muted']}>{t('packages.installedTag', { version: presentVersion })}</p>}
          </>
        )}
      </div>
      {opened !== null && <ChangeDialog {...opened} onClose={() => setOpened(null)} />}
    </Card>
  )
}
