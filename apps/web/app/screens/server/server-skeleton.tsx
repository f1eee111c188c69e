import { useTranslation } from '#app/i18n/texts.tsx'
import { Card } from '#app/ui/card.tsx'
import { Skeleton, SkeletonText } from '#app/ui/skeleton.tsx'
import classes from './server.module.css'

/**
 * The server's page before anything is known, in its final shape.
 * @param screen below `/s/{identity}`; empty for the overview
 */
export function ServerSkeleton({ screen }: { screen: string }) {
  const { t } = useTranslation()
  return (
    <div aria-busy="true" aria-label={t('loading.server')} role="status">
      {screen === '' || screen === '/' ? <OverviewSkeleton /> : <ScreenSkeleton />}
    </div>
  )
}

/** Any other of its screens: a heading with a line beneath, and what it is about. */
function ScreenSkeleton() {
  return (
    <>
      <div className={classes.header}>
        <div className={classes.identity}>
          <Skeleton width={220} height={30} />
          <Skeleton width="min(420px, 80vw)" />
        </div>
      </div>
      <div className={classes.main}>
        {[5, 4].map((lines) => (
          <Card key={lines}>
            <SkeletonText lines={lines} />
          </Card>
        ))}
      </div>
    </>
  )
}

function OverviewSkeleton() {
  return (
    <>
      <div className={classes.header}>
        <div className={classes.identity}>
          <Skeleton width={220} height={28} />
          <Skeleton width="min(340px, 80vw)" height={34} />
        </div>
        <Skeleton width={230} height={36} />
      </div>
      <div className={classes.columns}>
        <div className={classes.main}>
          <ConsoleSkeleton />
          <FiguresSkeleton />
        </div>
        <div className={classes.side}>
          {[3, 3, 4, 3].map((lines, index) => (
            <Card key={index}>
              <SkeletonText lines={lines} />
            </Card>
          ))}
        </div>
      </div>
    </>
  )
}

/** The console before it is opened. */
export function ConsoleSkeleton() {
  return <div className={classes.consoleBone} aria-hidden />
}

/** The figures before the first second has been told. */
export function FiguresSkeleton() {
  return (
    <div className={classes.figureBones} aria-hidden>
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} height={132} radius={8} />
      ))}
    </div>
  )
}
