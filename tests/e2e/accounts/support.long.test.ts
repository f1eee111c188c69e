/** A ticket in two browsers: asked with a file, answered at the desk, by mail in both directions, solved and rated. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMacro } from '@wakestone/contract/accounts/support-routes'
import { registerSupportJobs } from '../../../apps/server/src/features/accounts/support/jobs.ts'
import { type Caller, startTestApi, type TestApi } from '../../support/api.ts'
import { findFaults } from '../../support/axe.ts'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { waitForMail } from '../../support/mail.ts'

const secret = 'a-secret-of-the-mail-server'
let api: TestApi
let browser: Browser
let customer: { caller: Caller; page: Page }
let agent: { caller: Caller; page: Page }

beforeAll(async () => {
  api = await startTestApi({ SUPPORT_EMAIL: 'desk@example.test', SUPPORT_INBOUND_SECRET: secret }, { pages: true })
  Object.assign(api.context.settings, { PUBLIC_URL: api.origin })
  await registerSupportJobs(api.context)
  browser = await openBrowser()
  customer = await enter(await api.signUp())
  agent = await enter(await api.signUp({ admin: true }))
})
afterAll(async () => {
  await browser?.close()
  await api?.close()
})

async function enter(caller: Caller) {
  const context = await browser.newContext({ locale: 'en-GB', bypassCSP: true })
  const data = { login: caller.user.email, password: caller.password }
  await context.request.post(`${api.origin}/api/v1/users/login/local`, { data, headers: { origin: api.origin } })
  return { caller, page: await context.newPage() }
}

const mailIn = (lines: readonly string[]) =>
  fetch(`${api.origin}/internal/mail/inbound`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'message/rfc822' },
    body: lines.join('\r\n'),
  })

test('the story of a ticket', async () => {
  const { page: own } = customer
  const { page: desk } = agent
  await agent.caller.call(createMacro, {
    body: {
      name: 'Ask for the version',
      texts: { en: 'Hello {name}, which version is it?', pl: '', de: '' },
      status: 'PENDING',
    },
  })
  await desk.goto(`${api.origin}/en/admin/tickets`)
  await waitForScripts(desk)
  await desk.getByText('Nobody is waiting').waitFor()

  // From the menu of the account to a ticket with a file.
  await own.goto(`${api.origin}/en/s`)
  await waitForScripts(own)
  await own.getByRole('button', { name: `Account: ${customer.caller.user.username}` }).click()
  await own.getByRole('menuitem', { name: 'Help' }).click()
  await own.getByText('No tickets yet').waitFor()
  await own.getByRole('menu').waitFor({ state: 'detached' })
  await own.getByRole('link', { name: 'Write to support' }).click()
  await own.getByLabel('Subject').fill('The gate stays shut')
  await own.getByRole('textbox', { name: 'Message' }).fill('It says that the port is taken.')
  await own
    .locator('input[type=file]')
    .setInputFiles({ name: 'latest.log', mimeType: 'text/plain', buffer: Buffer.from('port taken\n') })
  await own.getByRole('button', { name: 'Send' }).click()
  await own.getByRole('heading', { name: 'The gate stays shut' }).waitFor()
  await own.getByRole('link', { name: 'latest.log' }).waitFor()
  expect(await findFaults(own)).toEqual([])

  // It comes to the desk by itself.
  await desk.getByRole('link', { name: 'The gate stays shut' }).click()
  await desk.getByText('It says that the port is taken.').waitFor()
  await desk.getByRole('button', { name: 'Note', exact: true }).click()
  await desk.getByLabel('A note that only support can see').fill('Seen this twice today.')
  await desk.getByRole('button', { name: 'Save the note' }).click()
  await desk.getByText('Seen this twice today.').waitFor()
  await desk.getByRole('button', { name: 'Answer', exact: true }).click()
  await desk.getByRole('combobox', { name: 'Insert a macro' }).selectOption({ label: 'Ask for the version' })
  await desk.getByRole('button', { name: 'Send the answer' }).click()

  // And back to whoever asked, while they look, and by mail.
  const asked = `Hello ${customer.caller.user.username}, which version is it?`
  await own.getByText(asked).waitFor()
  await own.getByText('waiting for you').waitFor()
  expect(await own.getByText('Seen this twice today.').count()).toBe(0)
  const mail = await waitForMail(api.dataDir, customer.caller.user.email, /^Re: The gate/)
  expect(mail.text).toContain(asked)
  const answer = await mailIn([
    `From: ${customer.caller.user.email}`,
    'To: desk@example.test',
    'Message-ID: <story@mail.example>',
    `In-Reply-To: ${mail.messageId}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Lanterns 2.0, from the marketplace.',
  ])
  expect(await answer.json()).toMatchObject({ outcome: 'added' })
  await desk.getByText('Lanterns 2.0, from the marketplace.').waitFor()
  await own.getByText('Lanterns 2.0, from the marketplace.').waitFor()
  expect(await findFaults(desk)).toEqual([])

  await desk.getByLabel('Your answer').fill('Version 2.1 mends that.')
  await desk.getByRole('combobox', { name: 'Afterwards' }).selectOption('SOLVED')
  await desk.getByRole('button', { name: 'Send and solve' }).click()
  await own.getByRole('button', { name: 'Good', exact: true }).click()
  await own.getByLabel('What was good', { exact: false }).fill('Quick, thank you')
  await own.getByRole('button', { name: 'Send', exact: true }).first().click()
  await desk.getByText('Quick, thank you').waitFor()
  await desk.getByRole('link', { name: 'All tickets' }).click()
  await desk.getByText('Nobody is waiting').waitFor()
})

test('what customers answer, as charts', async () => {
  const { page } = agent
  await page.goto(`${api.origin}/en/admin/feedback`)
  await waitForScripts(page)
  await page.getByText('Happy with support').waitFor()
  await page.getByText('100%').waitFor()
  expect(await findFaults(page)).toEqual([])
})
