/** Whether there is a place, and the way into the queue. */
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { availabilityQuery } from './free-play-queries.ts'
import classes from './free-play.module.css'
import type { useFreePlayActions } from './use-free-play-actions.ts'

export function Idle({
  clusterId,
  hasServer,
  now,
  actions,
}: {
  clusterId: string
  hasServer: boolean
  now: number | null
  actions: ReturnType<typeof useFreePlayActions>
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const { data } = useQuery(availabilityQuery())
  if (data === undefined) return <Skeleton height={64} />
  const cluster = data.clusters.find(({ cluster_id }) => cluster_id === clusterId)
  if (cluster === undefined || cluster.places === 0) return <p>{t('freePlay.noPlaces')}</p>
  const { free, places, waiting, expected } = cluster
  if (free > 0)
    return (
      <>
        <p className={classes['big']}>
          {t('freePlay.places', { free: format.number(free), places: format.number(places) })}
        </p>
        <p>{t(hasServer ? 'freePlay.freeNow' : 'freePlay.freeNowNoServer')}</p>
        {!hasServer && (
          <div className={classes['actions']}>
            <LinkButton look="primary" to={path('/create?product=FREE')}>
              {t('freePlay.create')}
            </LinkButton>
          </div>
        )}
      </>
    )
  const seconds = expected === null || now === null ? null : (Date.parse(expected) - now) / 1000
  return (
    <>
      <p className={classes['big']}>{t('freePlay.full')}</p>
      <p>
        {waiting > 0 && t('freePlay.waitingNow', { count: waiting })}{' '}
        {seconds !== null &&
          t('freePlay.wouldBe', { duration: format.duration(Math.max(1, Math.ceil(seconds / 60)) * 60) })}
      </p>
      <div className={classes['actions']}>
        <Button
          look={hasServer ? 'secondary' : 'primary'}
          loading={actions.isPending}
          onClick={() => actions.mutate({ act: 'join', clusterId })}
        >
          {t('freePlay.join')}
        </Button>
      </div>
    </>
  )
}
