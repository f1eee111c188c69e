/** What an operator is told to set up follows from what is set up, as the doctor sees it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer as listen, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSetup } from '@wakestone/contract/admin/setup-routes'
import { legalSlugs } from '@wakestone/contract/site/document'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { showSetup } from './setup.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startTestApi()
  admin = await api.signUp({ admin: true })
})
afterAll(() => api.close())

const open = async () => {
  const { steps } = await admin.call(getSetup, {})
  return steps.filter(({ done }) => !done).map(({ step }) => step)
}

test('a new installation lacks what makes it a business', async () => {
  expect(await open()).toEqual(
    expect.arrayContaining(['operator', 'documents', 'site', 'mail', 'backups', 'second_factor', 'server']),
  )
  await expect((await api.signUp()).call(getSetup, {})).rejects.toThrow('insufficient_capabilities')
})

test('what is set is done, and a mail server that does not answer is named', async () => {
  const closed = listen().listen(0, '127.0.0.1')
  await new Promise((resolve) => closed.once('listening', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const folder = join(api.dataDir, 'content/legal')
  for (const slug of legalSlugs) {
    mkdirSync(join(folder, slug), { recursive: true })
    writeFileSync(join(folder, slug, 'en.md'), '---\ntitle: Ours\nversion: 1.0\ndate: 2026-01-01\n---\n\nText.\n')
  }
  const settings = {
    ...api.context.settings,
    OPERATOR_NAME: 'Ogon',
    OPERATOR_ADDRESS: 'Warszawa',
    SUPPORT_EMAIL: 'help@ogon.example',
    BACKUP_STORAGE: 'rest:https://backups.example:8000',
    MAIL_URL: `smtp://127.0.0.1:${port}`,
  }
  const { steps } = await showSetup({ ...api.context, settings }, admin.user.id)
  const of = (name: string) => steps.find(({ step }) => step === name)
  for (const step of ['operator', 'documents', 'backups']) expect(of(step), step).toMatchObject({ done: true })
  expect(of('mail')).toMatchObject({ done: false, found: expect.stringContaining('127.0.0.1') })
  expect(of('site')).toMatchObject({ done: false, found: null })
})
