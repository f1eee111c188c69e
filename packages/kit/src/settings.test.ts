import { expect, test } from 'vitest'
import { publicUrl, readSettings } from './settings.ts'

test('what is unset takes its default; empty counts as unset', () => {
  const settings = readSettings({ HTTP_PORT: '', GAME_PORT: '25599' })
  expect(settings).toMatchObject({
    HTTP_PORT: 3000,
    GAME_PORT: 25599,
    GAME_DOMAIN: 'localhost',
    NODE_ENV: 'development',
  })
  expect(settings.DATABASE_URL).toBeUndefined()
  expect(publicUrl(settings)).toBe('http://localhost:3000')
  expect(publicUrl(readSettings({ PUBLIC_URL: 'https://play.example/' }))).toBe('https://play.example')
})

test('every bad value is named with what the variable takes', () => {
  expect(() => readSettings({ HTTP_PORT: '70000', MAIL_URL: 'mail' })).toThrow(
    'HTTP_PORT takes a port, 0–65535, not "70000"\nMAIL_URL takes an `smtp://` or `smtps://` address',
  )
})

test('a bad secret is not shown', () => {
  for (const [name, value] of Object.entries({ ADMIN_PASSWORD: 'kurz-77', DATABASE_URL: 'mysql://u:kurz-77@db/x' })) {
    expect(() => readSettings({ [name]: value })).toThrow(name)
    expect(() => readSettings({ [name]: value })).not.toThrow('kurz-77')
  }
})

test.each([
  [{ RECEIPT_PREFIX: 'INV' }, 'INVOICE_PREFIX and RECEIPT_PREFIX must differ'],
  [{ INVOICE_PREFIX: 'FV', CREDIT_NOTE_PREFIX: 'fv' }, 'INVOICE_PREFIX and CREDIT_NOTE_PREFIX must differ'],
  [{ INVOICE_PREFIX: 'A', RECEIPT_PREFIX: 'A', CREDIT_NOTE_PREFIX: 'A' }, 'RECEIPT_PREFIX and CREDIT_NOTE_PREFIX'],
])('documents of two kinds never have one number: %j is refused', (given, fault) => {
  expect(() => readSettings(given)).toThrow(fault)
})

test('production refuses demo and simulated payments', () => {
  expect(() => readSettings({ NODE_ENV: 'production', DEMO: '1' })).toThrow('DEMO takes 0')
  expect(() => readSettings({ NODE_ENV: 'production', SANDBOX_PORT: '4000' })).toThrow('SANDBOX_PORT must be unset')
  expect(readSettings({ NODE_ENV: 'production', DEMO: '0' }).DEMO).toBe(false)
})

test('production behind a proxy has to say which: we speak no TLS ourselves', () => {
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://play.example' }
  expect(() => readSettings(production)).toThrow('TRUST_PROXY must name the proxy')
  expect(() => readSettings({ ...production, TRUST_PROXY: '' })).toThrow('TRUST_PROXY must name the proxy')
  expect(readSettings({ ...production, TRUST_PROXY: '127.0.0.1' }).TRUST_PROXY).toEqual(['127.0.0.1'])
  const several = { ...production, TRUST_PROXY: '172.16.0.0/12, ::1,fd00::/8' }
  expect(readSettings(several).TRUST_PROXY).toEqual(['172.16.0.0/12', '::1', 'fd00::/8'])
  for (const TRUST_PROXY of ['0.0.0.0/0', '127.0.0.1,::/0', 'proxy.example', '10.0.0.0/33'])
    expect(() => readSettings({ ...production, TRUST_PROXY })).toThrow('TRUST_PROXY takes IP addresses or networks')
  // TLS of our own has no proxy in front.
  expect(readSettings({ ...production, HTTPS_PORT: '443', ACME_EMAIL: 'a@play.example' }).TRUST_PROXY).toBeUndefined()
  expect(() => readSettings({ ...production, HTTPS_PORT: '443' })).toThrow('ACME_EMAIL must be set too')
  expect(() =>
    readSettings({ PUBLIC_URL: 'http://play.example', HTTPS_PORT: '443', ACME_EMAIL: 'a@play.example' }),
  ).toThrow('PUBLIC_URL must be an https address')
  expect(() => readSettings({ ACME_EAB_KEY_ID: 'kid' })).toThrow('must be set together')
  expect(readSettings({ ...production, PUBLIC_URL: 'http://10.0.0.7' }).TRUST_PROXY).toBeUndefined()
  expect(readSettings({ ...production, NODE_ENV: 'development' }).TRUST_PROXY).toBeUndefined()
})
