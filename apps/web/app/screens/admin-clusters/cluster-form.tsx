import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { useNavigate } from 'react-router'
import {
  type AdminCluster,
  changeClusterBody,
  clusterDrivers,
  type ClusterDriver,
  createClusterBody,
} from '@wakestone/contract/admin/clusters'
import { useChangeCluster, useCreateCluster } from '#app/features/admin/server-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './clusters.module.css'

const emptyIsNull = (text: string) => (text.trim() === '' ? null : text)
const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

/** Name, country, who sees it, and its places for free servers. */
export function ClusterSettings({ cluster }: { cluster: AdminCluster }) {
  const { t } = useTranslation()
  const change = useChangeCluster(cluster.id)
  const { name, country_code, visible_permission, free_places } = cluster
  const form = useZodForm(changeClusterBody, { name, country_code, visible_permission, free_places })
  const submit = form.submit(async (body) => void (await change.mutateAsync(body)))
  return (
    <Card title={t('adminClusters.settings')}>
      <form className={classes['form']} noValidate onSubmit={(event) => void submit(event)}>
        <Fields form={form} />
        {form.failure !== undefined && <ErrorNote error={form.failure} />}
        <div className={classes['actions']}>
          <Button type="submit" look="primary" loading={form.busy}>
            {t('adminClusters.save')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

type Values = {
  name?: string | undefined
  country_code?: string | null | undefined
  visible_permission?: string | null | undefined
  free_places?: number | null | undefined
}
type Form = {
  values: Values
  set(name: keyof Values, value: string | number | null): void
  check(name: keyof Values): void
  errorOf(name: keyof Values): string | undefined
}

function Fields({ form }: { form: Form }) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        {...plain}
        name="name"
        label={t('adminClusters.name')}
        value={form.values.name ?? ''}
        maxLength={64}
        onChange={(event) => form.set('name', event.currentTarget.value)}
        onBlur={() => form.check('name')}
        error={form.errorOf('name')}
      />
      <TextInput
        {...plain}
        name="country_code"
        label={t('adminClusters.country')}
        description={t('adminClusters.countryHint')}
        value={form.values.country_code ?? ''}
        maxLength={2}
        onChange={(event) => form.set('country_code', emptyIsNull(event.currentTarget.value))}
        onBlur={() => form.check('country_code')}
        error={form.errorOf('country_code')}
      />
      <TextInput
        {...plain}
        name="visible_permission"
        label={t('adminClusters.permission')}
        description={t('adminClusters.permissionHint')}
        value={form.values.visible_permission ?? ''}
        maxLength={80}
        onChange={(event) => form.set('visible_permission', emptyIsNull(event.currentTarget.value))}
        onBlur={() => form.check('visible_permission')}
        error={form.errorOf('visible_permission')}
      />
      <NumberInput
        name="free_places"
        label={t('adminClusters.freePlaces')}
        description={t('adminClusters.freePlacesHint')}
        value={form.values.free_places ?? ''}
        min={0}
        allowDecimal={false}
        onChange={(value) => form.set('free_places', typeof value === 'number' ? value : null)}
        onBlur={() => form.check('free_places')}
        error={form.errorOf('free_places')}
      />
    </>
  )
}

const empty = {
  id: '',
  name: '',
  country_code: null,
  visible_permission: null,
  free_places: null,
  zone_name: '',
  driver: 'process' as const,
  prices_of: undefined,
}

/** A further cluster, with a zone of its own. It is closed until it is opened. */
export function NewCluster({ clusters }: { clusters: readonly AdminCluster[] }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const create = useCreateCluster()
  const form = useZodForm(createClusterBody, { ...empty, prices_of: clusters.find(({ has_prices }) => has_prices)?.id })
  const submit = form.submit(async (body) => {
    try {
      const made = await create.mutateAsync(body)
      void navigate(`?cluster=${made.id}`)
    } catch (error) {
      const field = errorBodyOf(error)?.fields?.['field']
      if (field !== 'id' && field !== 'zone_name') throw error
      form.refuse(field, 'taken')
    }
  })
  return (
    <Card title={t('adminClusters.add')}>
      <form className={classes['form']} noValidate onSubmit={(event) => void submit(event)}>
        <p className={classes['text']}>{t('adminClusters.addText')}</p>
        <TextInput
          {...plain}
          label={t('adminClusters.id')}
          description={t('adminClusters.idHint')}
          {...form.field('id')}
        />
        <TextInput
          {...plain}
          label={t('adminClusters.zone')}
          description={t('adminClusters.zoneHint')}
          {...form.field('zone_name')}
        />
        <NativeSelect
          name="driver"
          label={t('adminClusters.driver')}
          description={t(`adminClusters.driverHints.${form.values.driver ?? 'process'}`)}
          value={form.values.driver}
          onChange={(event) => form.set('driver', event.currentTarget.value as ClusterDriver)}
          data={clusterDrivers.map((value) => ({ value, label: t(`adminClusters.drivers.${value}`) }))}
        />
        <Fields form={form} />
        <NativeSelect
          label={t('adminClusters.pricesOf')}
          description={t('adminClusters.pricesOfHint')}
          value={form.values.prices_of ?? ''}
          onChange={(event) => form.set('prices_of', event.currentTarget.value || undefined)}
          data={[
            { value: '', label: t('adminClusters.noPricesYet') },
            ...clusters.filter(({ has_prices }) => has_prices).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        {form.failure !== undefined && <ErrorNote error={form.failure} />}
        <div className={classes['actions']}>
          <Button type="submit" look="primary" loading={form.busy}>
            {t('adminClusters.add')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
