/** What must not leave a log, by a corpus, by what must stay, and by whatever comes. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blotSecrets, longestLine } from './blot.ts'

const blot = (line: string) => blotSecrets([line])[0] ?? ''
/** Made here, so that nothing in this file looks like a secret of somebody's. */
const made = (length: number, alphabet = 'aB3dE5gH7jK9') =>
  Array.from({ length }, (_, index) => alphabet[(index * 7) % alphabet.length]).join('')

/** A line, and what of it must be gone. */
const corpus: [what: string, line: string, secret: string][] = [
  ['a setting', 'rcon.password=hunter2-and-more', 'hunter2'],
  ['a setting in capitals', 'RCON_PASSWORD: correcthorse', 'correcthorse'],
  ['JSON', '{"token":"abc-def-123","x":1}', 'abc-def-123'],
  ['JSON with blanks', '  "clientSecret" : "with blanks in it",', 'with blanks'],
  ['YAML', "    password: 'S3cret pass'", 'S3cret'],
  ['an option', 'java -jar x.jar --api-key zebra77 --nogui', 'zebra77'],
  ['Polish', 'Ustawiono hasło: kaktus1', 'kaktus1'],
  ['German', 'Passwort = Geheim99', 'Geheim99'],
  ['a sentence', 'The new password is swordfish', 'swordfish'],
  ['AuthMe, login', '[12:00:01 INFO]: Steve issued server command: /login tulip55', 'tulip55'],
  ['AuthMe, registration', 'Alex issued server command: /register one1 one1', 'one1'],
  ['AuthMe, short', 'Alex issued server command: /l rose', 'rose'],
  ['a database', 'Connecting to jdbc:mysql://db.example:3306/x?user=root&password=toor', 'toor'],
  ['a database with a name', 'pool: postgres://admin:pa55@10.0.0.3/app', 'pa55'],
  ['MongoDB', 'uri mongodb+srv://u:p@cluster0.ab12c.mongodb.net/test', 'cluster0'],
  ['Redis', 'redis://:letmein@cache:6379/0 ready', 'letmein'],
  ['credentials in an address', 'GET https://bob:s3same@example.org/x', 's3same'],
  ['a webhook of Discord', `posting to https://discord.com/api/webhooks/123456789/${made(68)}`, made(68)],
  ['a webhook of Discord, old', 'https://canary.discordapp.com/api/v10/webhooks/1/abc', 'webhooks/1'],
  ['a webhook of Slack', 'https://hooks.slack.com/services/T0/B0/zzz', 'services/T0'],
  ['a bot of Telegram', `https://api.telegram.org/bot123:${made(20)}/send`, made(20)],
  ['a JWT', `using eyJhbGciOiJI.eyJzdWIiOiIx.${made(30)}`, 'eyJzdWIiOiIx'],
  ['a bearer', `Authorization: Bearer ${made(24)}`, made(24)],
  ['a bearer alone', `sent bearer ${made(12)}`, made(12)],
  ['basic', 'header Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ['GitHub', `clone with ghp_${made(36)}`, made(36)],
  ['GitHub, fine', `github_pat_${made(40)}`, made(40)],
  ['GitLab', `glpat-${made(20)}`, made(20)],
  ['Slack', `xoxb-1234-${made(24)}`, made(24)],
  ['Stripe', `charge by sk_live_${made(24)}`, made(24)],
  ['AWS', 'key AKIAABCDEFGHIJKLMNOP', 'AKIAABCDEFGHIJKLMNOP'],
  ['Google', `AIza${made(35)}`, made(35)],
  ['a bot of Discord', `M${made(24, 'aBcDeF3g')}.GhIjKl.${made(38)}`, 'GhIjKl'],
  ['an SSH key', `ssh-ed25519 ${made(68)} me`, made(68)],
  ['a hash', `sha1 ${made(40, '0123456789abcdef')}`, made(40, '0123456789abcdef')],
  ['a random string', `licence ${made(40)} accepted`, made(40)],
  ['a mail', 'Player joined as anna.nowak+mc@poczta.example.pl', 'anna.nowak'],
  ['a mail of other letters', 'zażółć@przykład.pl pisze', 'zażółć@'],
  ['IPv4', 'Steve[/203.0.113.77:51234] logged in', '203.0.113.77'],
  ['IPv4 at an end', 'lost connection to 198.51.100.4.', '198.51.100.4'],
  ['a private IPv4', 'binding on 192.168.1.20:25565', '192.168.1.20'],
  ['IPv6', 'Steve[/[2001:db8:0:0:1:2:3:4]:5123]', '2001:db8'],
  ['IPv6, short', 'from 2001:db8::77 port 1', '2001:db8::77'],
  ['IPv6, of a link', 'fe80::1c2a:3b4c:5d6e:7f80%eth0 up', 'fe80::1c2a'],
  ['IPv4 in IPv6', 'peer ::ffff:203.0.113.9', '203.0.113.9'],
  ['a session', 'Cookie: sid=abcdef', 'abcdef'],
  ['colours within', 'pass\u00A7cword=\u001B[31mredrose\u001B[0m', 'redrose'],
  ['what cannot be seen within', 'pass\u200Bword=violet', 'violet'],
]
/** Every unit of a text there is, halves of characters too. */
const anyUnit = fc.integer({ min: 0, max: 0xff_ff }).map((code) => String.fromCharCode(code))

test.each(corpus)('blots out %s', (_what, line, secret) => {
  const left = blot(line)
  expect(left).not.toContain(secret)
  expect(left).toMatch(/\[(?:secret|token|key|mail|address|database|webhook|credentials)\]/)
})

test('a key over several lines is one blot each', () => {
  const lines = [
    'before',
    '-----BEGIN RSA PRIVATE KEY-----',
    'MIIEabc',
    'def==',
    '-----END RSA PRIVATE KEY-----',
    'after',
  ]
  expect(blotSecrets(lines)).toEqual(['before', '[key]', '[key]', '[key]', '[key]', 'after'])
  expect(blotSecrets(['x -----BEGIN PRIVATE KEY----- abc', 'def']).join('')).not.toMatch(/abc|def/)
})

test.each([
  '[12:34:56] [Server thread/INFO]: Done (12.345s)! For help, type "help"',
  '[12:34:56 WARN]: Can’t keep up! Is the server overloaded? Running 2034ms or 40 ticks behind',
  'Loading Minecraft 1.21.4 with Fabric Loader 0.16.9',
  'java.lang.NullPointerException: Cannot invoke "net.minecraft.world.level.Level.isClientSide()" because "level" is null',
  '\tat net.minecraft.server.network.ServerGamePacketListenerImpl.handleMovePlayer(ServerGamePacketListenerImpl.java:1042)',
  '\tat TRANSFORMER/minecraft@1.20.1/net.minecraft.server.MinecraftServer.runServer(MinecraftServer.java:689)',
  'UUID of player Steve is 069a79f4-44e9-4726-a5be-fca90e38aaf5',
  'Starting Minecraft server on 127.0.0.1:25565',
  'Starting Minecraft server on *:25565',
  'Preparing spawn area: 83%',
  'Paper version 1.21.4-232-main@12d8fe0 (2025-03-01)',
  'Plugin WorldEdit v7.3.9+6959-7adf70b is enabled',
  '[Essentials] Attempting to convert old kits in config.yml to new kits.yml',
  "Saving chunks for level 'ServerLevel[world]'/minecraft:overworld",
  '<Steve> see you at 12:30:05, bring 3 stacks',
])('leaves alone: %s', (line) => {
  expect(blot(line)).toBe(line)
})

test('whatever comes: as many lines, bounded, that can be stored', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: anyUnit, maxLength: 200 }), fc.string({ maxLength: 200 })), {
        maxLength: 5,
      }),
      (lines) => {
        const once = blotSecrets(lines)
        expect(once).toHaveLength(lines.length)
        for (const line of once) expect(line).not.toContain('\0')
        for (const line of once) expect(line.length).toBeLessThan(longestLine * 6)
      },
    ),
    { numRuns: 200 },
  )
})

test('a secret is found wherever it stands', () => {
  const around = fc.string({ unit: fc.constantFrom(...' ,;:()[]{}<>"\'=|'), maxLength: 12 })
  const secrets = corpus.filter(([what]) =>
    /GitHub|Stripe|JWT|a mail$|a database with|a webhook of Discord$/.test(what),
  )
  fc.assert(
    fc.property(fc.constantFrom(...secrets), around, around, ([, line, secret], before, after) => {
      expect(blot(`${before} ${line} ${after}`)).not.toContain(secret)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['letters', 'a'.repeat(100_000)],
  ['names and marks', 'password='.repeat(20_000)],
  ['dots', '1.'.repeat(50_000)],
  ['colons', 'a:'.repeat(50_000)],
  ['at', 'a@a.'.repeat(50_000)],
  ['schemes', 'ab://'.repeat(20_000)],
  ['JWTs', 'eyJabcdef.'.repeat(20_000)],
  ['hex', 'abcdef0123'.repeat(20_000)],
])('%s take no time', (_what, line) => {
  const began = performance.now()
  blotSecrets(Array.from({ length: 200 }, () => line))
  expect(performance.now() - began).toBeLessThan(4000)
})
