import { expect, test } from 'vitest'
import { contentPolicy } from './content-policy.ts'

const part = (policy: string, name: string) => policy.split('; ').find((line) => line.startsWith(`${name} `))

test('nothing but our own origin, unless the operator names more', () => {
  const policy = contentPolicy(["'nonce-n'"], {
    ANALYTICS_SCRIPT_URL: undefined,
    ANALYTICS_HOSTS: undefined,
    REVIEW_WIDGET_URL: undefined,
    SUPPORT_SSO_URL: undefined,
  })
  expect(policy).not.toContain('http')
  expect(part(policy, 'script-src')).toBe("script-src 'self' 'nonce-n'")
})

test('the origins of the analytics script and of what it reports to', () => {
  const policy = contentPolicy(["'nonce-n'"], {
    ANALYTICS_SCRIPT_URL: 'https://stats.example/js/script.js?id=1',
    ANALYTICS_HOSTS: ['https://collect.example', 'https://stats.example'],
    REVIEW_WIDGET_URL: 'https://reviews.example/widget/1',
    SUPPORT_SSO_URL: undefined,
  })
  expect(part(policy, 'script-src')).toBe("script-src 'self' 'nonce-n' https://stats.example")
  expect(part(policy, 'connect-src')).toBe("connect-src 'self' https://stats.example https://collect.example")
  expect(part(policy, 'img-src')).toBe("img-src 'self' data: https://stats.example https://collect.example")
  expect(part(policy, 'frame-src')).toBe('frame-src https://reviews.example')
  expect(part(policy, 'style-src')).not.toContain('example')
})
