/** Invoice data through the front door, and the EU's register behind it. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { ApiError } from '@wakestone/contract/client'
import { getTaxData, setTaxData } from '@wakestone/contract/money/tax-data-routes'
import type { taxDataBody } from '@wakestone/contract/money/tax-data-form'
import { listUserEvents, verify } from '@wakestone/contract/accounts/users-routes'
import { startViesSimulator, type ViesSimulator } from '@wakestone/simulators/vies'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { checkTaxId } from './check.ts'
import { registerTaxDataJobs } from './jobs.ts'

type Body = z.input<typeof taxDataBody>

let vies: ViesSimulator
let api: TestApi
beforeAll(async () => {
  vies = await startViesSimulator()
  api = await startTestApi({ VIES_URL: vies.url, OPERATOR_VAT_ID: 'PL5260001246' })
  await registerTaxDataJobs(api.context)
})
beforeEach(() => void (vies.trouble = undefined))
afterAll(async () => {
  await api.close()
  await vies.close()
})

const german: Body = {
  kind: 'company',
  name: 'Laterne GmbH',
  tax_id: 'DE 136 695 976',
  address: 'Lange Straße 1',
  postal_code: '10115',
  city: 'Berlin',
  country: 'DE',
  language: 'de',
}
const put = ({ call, user }: Caller, body: Body) => call(setTaxData, { params: { id: user.id }, body })
const show = ({ call, user }: Caller) => call(getTaxData, { params: { id: user.id } })

/** Waits for the register's answer. */
async function checked(owner: Caller, state: string) {
  for (const deadline = Date.now() + 10_000; ;) {
    const check = (await show(owner))?.tax_id_check
    if (check?.state === state) return check
    if (Date.now() > deadline) throw new Error(`the check is ${check?.state}, not ${state}`)
    await delay(20)
  }
}

test('there is none at first; what is given is shown, also with the user', async () => {
  const owner = await api.signUp()
  expect(await show(owner)).toBeNull()
  await put(owner, { ...german, tax_id: '' })
  expect(await show(owner)).toMatchObject({ name: 'Laterne GmbH', tax_id: null, tax_id_check: null })
  expect((await owner.call(verify, {})).tax_data).toMatchObject({ name: 'Laterne GmbH', postal_code: '10115' })
  expect((await owner.call(verify, { query: { simple: '1' } })).tax_data).toBeNull()
})

test('what does not fit its country is refused by name', async () => {
  const owner = await api.signUp()
  const refused = await put(owner, { ...german, tax_id: 'DE136695977', postal_code: '00-95' }).catch(
    (error: ApiError) => error.body,
  )
  expect(refused).toMatchObject({ error: 'invalid_request', fields: { tax_id: 'tax_id', postal_code: 'postal_code' } })
  expect(await show(owner)).toBeNull()
})

describe('the VAT id', () => {
  test('is pending until the register knows it; its reference is kept, and ours is named', async () => {
    vies.registered.add('DE136695976')
    const owner = await api.signUp()
    expect((await put(owner, german)).tax_id_check).toEqual({
      state: 'pending',
      checked_at: null,
      consultation_number: null,
    })
    expect(await checked(owner, 'valid')).toMatchObject({ consultation_number: expect.stringMatching(/^WAPIAAAA/) })
    expect(vies.questions.at(-1)).toEqual({
      countryCode: 'DE',
      vatNumber: '136695976',
      requesterMemberStateCode: 'PL',
      requesterNumber: '5260001246',
    })
  })

  test('that is not registered is invalid; another one is checked anew, another address is not', async () => {
    vies.registered.add('ATU13585627')
    const owner = await api.signUp()
    await put(owner, { ...german, tax_id: 'DE129273398' })
    await checked(owner, 'invalid')
    const austrian = { ...german, country: 'AT', postal_code: '1010', tax_id: 'U13585627' }
    expect((await put(owner, austrian)).tax_id_check?.state).toBe('pending')
    const answer = await checked(owner, 'valid')
    const asked = vies.questions.length
    expect((await put(owner, { ...austrian, address: 'Ring 2' })).tax_id_check).toEqual(answer)
    expect(vies.questions).toHaveLength(asked)
  })

  test.each(['MS_UNAVAILABLE', 'GLOBAL_MAX_CONCURRENT_REQ', 'garbage'] as const)(
    'is asked for again after %s',
    async (trouble) => {
      vies.registered.add('DE136695976')
      vies.trouble = trouble
      const owner = await api.signUp()
      await put(owner, german)
      const { checked_at } = await checked(owner, 'unavailable')
      expect(checked_at).not.toBeNull()
      vies.trouble = undefined
      const { id: checkId } = await api.context.db
        .selectFrom('tax_id_checks')
        .select('id')
        .where('user_id', '=', owner.user.id)
        .executeTakeFirstOrThrow()
      // The job waits out its pause; what it does then:
      await checkTaxId(api.context, { checkId })
      await checked(owner, 'valid')
      const waiting = async () => {
        const jobs = await api.context.boss.findJobs('check-tax-id', { data: { checkId } })
        return jobs.map(({ state, retryCount, retryLimit }) => [state, retryCount < retryLimit])
      }
      await expect.poll(waiting).toEqual([['retry', true]]) // the failure is written after the answer
    },
  )

  test('of Great Britain, Switzerland and Norway is not a question for the EU', async () => {
    const owner = await api.signUp()
    const asked = vies.questions.length
    const british = { ...german, country: 'GB', postal_code: 'SW1A 1AA', tax_id: 'GB980780684' }
    expect((await put(owner, british)).tax_id_check).toBeNull()
    expect(vies.questions).toHaveLength(asked)
  })
})

test('every version is kept, one is in force, and the audit log names what changed', async () => {
  const owner = await api.signUp()
  await put(owner, { ...german, tax_id: '' })
  await Promise.all(['Ring 1', 'Ring 2', 'Ring 3'].map((address) => put(owner, { ...german, tax_id: '', address })))
  const versions = await api.context.db
    .selectFrom('tax_data')
    .select('replaced_at')
    .where('user_id', '=', owner.user.id)
    .execute()
  expect(versions).toHaveLength(4)
  expect(versions.filter(({ replaced_at }) => replaced_at === null)).toHaveLength(1)
  const { data } = await owner.call(listUserEvents, {
    params: { id: owner.user.id },
    query: { action: 'USER_CHANGE_TAX_DATA' },
  })
  expect(data[0]?.data).toEqual({ changed: ['address'] })
  expect(data[3]?.data['changed']).toContain('name')
})
