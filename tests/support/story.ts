/**
 * The main job from a visitor's first click to a block that is still there after a restart: in Chromium, through PayU's
 * page, with a Minecraft client. Told of whatever product is given, wherever it runs.
 */
import type { Bot } from 'mineflayer'
import type { Browser, Page } from 'playwright-core'
import { expect, onTestFailed } from 'vitest'
import { findFaults } from './axe.ts'
import { waitForScripts } from './browser.ts'
import { isLong } from './long.ts'
import { linkIn, waitForMail } from './mail.ts'
import { joinServer, waitForChat } from './player.ts'
import type { TestProduct } from './product.ts'

type Product = Pick<TestProduct, 'origin' | 'gamePort' | 'dataDir'>
type Block = ReturnType<Bot['entity']['position']['floored']>

const password = 'a lantern in the night'

async function register({ origin }: Product, page: Page, name: string): Promise<void> {
  await page.goto(`${origin}/en`)
  await page.getByRole('button', { name: 'Only necessary' }).click()
  await page.getByRole('link', { name: 'Rent Grass' }).click()
  await page.waitForURL(/\/en\/register/)
  await page.getByRole('textbox', { name: 'User name', exact: true }).fill(name)
  await page.getByRole('textbox', { name: 'E-mail' }).fill(`${name}@example.test`)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('checkbox', { name: /accept the terms/ }).check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(/\/en\/create/)
}

async function confirmEmail({ dataDir }: Product, page: Page, name: string): Promise<void> {
  const mail = await waitForMail(dataDir, `${name}@example.test`)
  await page.goto(linkIn(mail))
  await page.getByText('Your e-mail is confirmed').waitFor()
}

/** From the order form, which lacks money, to PayU's page and back to the form. */
async function topUp({ origin }: Product, page: Page, server: string): Promise<void> {
  await page.goto(`${origin}/en/create?product=GRASS`)
  await page.getByRole('textbox', { name: 'Server name' }).fill(server)
  await page.keyboard.press('Tab')
  await page.getByText(`${server}.localhost is available`).waitFor()
  const consent = page.getByRole('checkbox', { name: /^Start now/ })
  await consent.check()
  await page.getByRole('link', { name: /^Top up PLN/ }).click()
  await page.getByRole('textbox', { name: 'Other amount' }).fill('50.00')
  await page.getByRole('button', { name: /^Pay.*50\.00/ }).click()
  await page.waitForURL(/\/pay\/\?orderId=/)
  // A step back keeps the amount, not the one that was proposed.
  await page.goBack()
  await waitForScripts(page)
  expect(await page.getByRole('textbox', { name: 'Other amount' }).inputValue()).toBe('50.00')
  await page.getByRole('button', { name: /^Pay.*50\.00/ }).click()
  await page.waitForURL(/\/pay\/\?orderId=/)
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL(/\/en\/create/, { timeout: 30_000 })
  expect(await page.getByRole('textbox', { name: 'Server name' }).inputValue()).toBe(server)
  await expect.poll(() => consent.isChecked()).toBe(true)
}

async function rent({ gamePort }: Product, page: Page, server: string): Promise<string> {
  await page.getByRole('button', { name: /^Pay.*18\.44.*create/ }).click()
  await page.waitForURL(/\/s\//)
  const address = `${server}.localhost:${gamePort}`
  await page.getByTestId('address').filter({ hasText: address }).waitFor()
  await page
    .getByText(/^(Online|Online, empty)$/)
    .first()
    .waitFor({ timeout: 60_000 })
  await page.getByText('PLN 31.56').first().waitFor()
  return address
}

async function typeCommand(page: Page, command: string): Promise<void> {
  const input = page.getByRole('textbox', { name: 'Command' })
  await input.fill(command)
  await input.press('Enter')
}

/** Puts a block two steps from the player, through the console as its owner. */
async function placeBlock(page: Page, bot: Bot) {
  const at = bot.entity.position.floored().offset(2, 0, 0)
  await typeCommand(page, `setblock ${at.x} ${at.y} ${at.z} gold_block`)
  await expect.poll(() => bot.blockAt(at)?.name, { timeout: 15_000 }).toBe('gold_block')
  return at
}

/**
 * Somebody of that name rents a server, and a friend joins it.
 * @returns the server's address, its owner and the block that the friend has seen there.
 */
export async function tellStory(
  product: Product,
  browser: Browser,
  name: string,
): Promise<{ host: string; login: string; password: string; block: Block }> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Warsaw',
    viewport: { width: 1440, height: 900 },
    bypassCSP: true, // or axe stays out
  })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.origin })
  const page = await context.newPage()
  onTestFailed(async () => void (await page.screenshot({ path: `test-results/story-${name}.png`, fullPage: true })))
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  const server = `${name}-castle`

  await register(product, page, name)
  await confirmEmail(product, page, name)
  await topUp(product, page, server)
  const address = await rent(product, page, server)

  const menu = page.getByRole('navigation', { name: 'Navigation' })
  expect(await menu.getByRole('heading').allInnerTexts()).toEqual(['Play', 'Data', 'Manage', 'Settings', 'Plan'])
  expect(await menu.getByRole('link').allInnerTexts()).toEqual([
    'Overview',
    'Players',
    'Files',
    'Backups',
    'Worlds',
    'Map',
    'Packages',
    'Events',
    'Schedules',
    'Shop',
    'Settings',
    'Engine',
    'Addresses',
    'Access',
    'Plan and payments',
    'Change the plan',
    'Wallet',
    'Account',
    'Help',
  ])
  // Told anew as time goes by, although nothing happens that would be asked for.
  const newest = page.getByRole('listitem').filter({ hasText: 'Game started' }).getByRole('time')
  const told = await newest.innerText()
  await expect.poll(() => newest.innerText(), { timeout: 10_000 }).not.toBe(told)

  await page.getByRole('button', { name: /Copy address/ }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address)

  const host = address.split(':')[0] ?? ''
  const friend = await joinServer({ host, gamePort: product.gamePort, username: `Friend_${name}` })
  const output = page.getByRole('log')
  await output.getByText(`Friend_${name} joined the game`).waitFor()
  // What is left to do stays in sight.
  const steps = page.getByRole('list', { name: 'Getting started' }).getByRole('listitem')
  await steps.filter({ hasText: 'Join your server — done' }).waitFor()
  expect(await steps.count()).toBe(4)
  friend.chat('hello from the other side')
  await output.getByText('hello from the other side').waitFor()
  const greeting = waitForChat(friend, /welcome to my castle/)
  await typeCommand(page, 'say welcome to my castle')
  await greeting
  const at = await placeBlock(page, friend)

  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  const question = page.getByRole('dialog', { name: /^Stop .+\?$/ })
  await question.getByText('1 player is on').waitFor()
  expect(await question.getByRole('radio', { name: 'In 1 minute' }).isChecked()).toBe(true)
  await question.getByRole('radio', { name: 'Now' }).check()
  await question.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Stopped').first().waitFor({ timeout: 60_000 })
  const connection = page.getByRole('region', { name: 'Console' }).getByRole('status').first()
  await expect.poll(() => connection.innerText()).toBe('off')
  await expect(joinServer({ host, gamePort: product.gamePort, username: `Friend_${name}` })).rejects.toThrow(/kicked/)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page
    .getByText(/^(Online|Online, empty)$/)
    .first()
    .waitFor({ timeout: 60_000 })
  const again = await joinServer({ host, gamePort: product.gamePort, username: `Friend_${name}` })
  await expect.poll(() => again.blockAt(at)?.name, { timeout: 15_000 }).toBe('gold_block')
  again.end()

  await page.getByRole('link', { name: 'Renew' }).click()
  await page.getByRole('button', { name: /^Renew for PLN\s18\.44$/ }).click()
  await page.getByRole('status').getByText('Renewed: paid until').waitFor()
  await page
    .getByText(/^PLN\s13\.12$/)
    .first()
    .waitFor()

  if (isLong) {
    await beginAnew(page)
    await planRestart(page)
  }

  expect(faults).toEqual([])
  await context.close()
  return { host, login: `${name}@example.test`, password, block: at }
}

/** Deletes the files and goes back to them, seen live all the while. */
async function beginAnew(page: Page): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Navigation' })
  await menu.getByRole('link', { name: 'Engine' }).click()
  await page.locator('label', { hasText: 'Delete the files' }).click()
  await look(page, 'engine')
  await page.getByRole('button', { name: 'Change the engine' }).click()
  const underWay = page.locator('section', { has: page.getByRole('heading', { name: /^(Under way|Just finished)$/ }) })
  await underWay.getByRole('progressbar').first().waitFor()
  await underWay.getByRole('button', { name: 'Details' }).click()
  await underWay.getByText(/^\d of \d$/).waitFor()
  await look(page, 'under-way')
  await underWay.getByText('Done', { exact: true }).waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: /^Go back to/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Go back to/ })
    .click()
  await underWay.getByText('Return to flying-squid 1.21.4', { exact: true }).waitFor()
  await underWay.getByText('Done', { exact: true }).waitFor({ timeout: 60_000 })
  // How it is shown is remembered.
  await page.reload()
  await underWay.getByRole('button', { name: 'Fewer details' }).waitFor()
  await menu.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('difficult')
  await look(page, 'settings')
}

async function planRestart(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Schedules' }).click()
  await page.getByRole('button', { name: 'Add a schedule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Night')
  await dialog.getByRole('combobox', { name: 'Step 1', exact: true }).selectOption('message')
  await dialog.getByRole('textbox', { name: 'Step 1: Message' }).fill('Good night')
  await look(page, 'schedule-dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Next runs:').waitFor()
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByText('done', { exact: true }).waitFor({ timeout: 20_000 })
  await look(page, 'schedules')
}

/** axe finds nothing, at any width. */
async function look(page: Page, name: string): Promise<void> {
  expect(await findFaults(page), name).toEqual([])
  if (process.env['SHOTS'] !== undefined)
    for (const colorScheme of ['dark', 'light'] as const)
      for (const width of [390, 768, 1440]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        await page.screenshot({ path: `${process.env['SHOTS']}/${name}-${colorScheme}-${width}.png`, fullPage: true })
      }
  await page.setViewportSize({ width: 1440, height: 900 })
}
