import { useTranslation } from '#app/i18n/texts.tsx'
import { usePurchasePath } from '#app/features/offers/use-purchase-path.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { DemoServer } from './demo-server.tsx'
import classes from './home.module.css'
import { NightScene } from './night-scene.tsx'

export function Hero() {
  const { t } = useTranslation()
  const purchase = usePurchasePath()
  return (
    <section className={classes['hero']}>
      <div className={classes['words']}>
        <h1>
          <span>{t('home.headline1')}</span> <span>{t('home.headline2')}</span> <span>{t('home.headline3')}</span>
        </h1>
        <p className={classes['lead']}>{t('home.lead')}</p>
        <div className={classes['actions']}>
          <LinkButton to={purchase('product=FREE')} look="primary" size="large">
            {t('home.start')}
          </LinkButton>
          <LinkButton to="#offers" size="large">
            {t('home.seePlans')}
          </LinkButton>
        </div>
        <DemoServer />
      </div>
      <NightScene label={t('home.scene')} />
    </section>
  )
}
