/** Files of settings, which lie beside those that are there already. */
import { pack, type Said, type Sample, texts } from './sample.ts'

const config = (slug: string, name: string, files: Record<string, string>, labels: string[], said: Said): Sample => ({
  slug: `sample-${slug}`,
  name,
  type: 'config',
  labels: ['sample', ...labels],
  loaders: ['paper', 'spigot'],
  versions: ['1.20.4', '1.21.1', '1.21.4'],
  file: { name: `${slug}-1.0.0.zip`, bytes: pack(files) },
  texts: texts(said),
})

export const settings: readonly Sample[] = [
  config(
    'short-commands',
    'Short commands',
    {
      'commands.yml':
        'command-block-overrides: []\nignore-vanilla-permissions: false\naliases:\n  day:\n    - time set day\n  night:\n    - time set night\n  sun:\n    - weather clear\n  c:\n    - gamemode creative $1-\n  s:\n    - gamemode survival $1-\n',
    },
    ['tools'],
    {
      en: [
        '`/day`, `/sun`, `/c`: long commands made short.',
        'Aliases in `commands.yml`, which Paper and Spigot read.',
      ],
      pl: [
        '`/day`, `/sun`, `/c`: długie polecenia w skrócie.',
        'Aliasy w pliku `commands.yml`, który czytają Paper i Spigot.',
      ],
      de: ['`/day`, `/sun`, `/c`: lange Befehle, kurz.', 'Aliase in `commands.yml`, die Paper und Spigot lesen.'],
    },
  ),
  config(
    'three-ranks',
    'Three ranks',
    {
      'permissions.yml':
        'rank.guest:\n  description: May look around\n  default: true\nrank.builder:\n  description: May build\n  default: false\n  children:\n    rank.guest: true\nrank.keeper:\n  description: Keeps order\n  default: op\n  children:\n    rank.builder: true\n    minecraft.command.kick: true\n',
    },
    ['permissions'],
    {
      en: [
        'Guest, builder, keeper: a starting point for permissions.',
        'Three nodes in `permissions.yml`, each with those below it.',
      ],
      pl: ['Gość, budowniczy, opiekun: uprawnienia na początek.', 'Trzy węzły w `permissions.yml`, każdy z niższymi.'],
      de: [
        'Gast, Baumeister, Hüter: ein Anfang für Rechte.',
        'Drei Knoten in `permissions.yml`, jeder mit denen darunter.',
      ],
    },
  ),
  config(
    'polish-messages',
    'Polish messages',
    {
      'spigot.yml':
        'messages:\n  whitelist: Nie ma Cię na liście tego serwera.\n  unknown-command: Nie znam takiego polecenia. Wpisz /help.\n  server-full: Serwer jest pełny.\n  outdated-client: Zaktualizuj grę do wersji {0}.\n  outdated-server: Ten serwer działa jeszcze na wersji {0}.\n  restart: Serwer uruchamia się ponownie.\n',
    },
    ['language'],
    {
      en: ['What a server says to players, in Polish.', 'Six messages from `spigot.yml`.'],
      pl: ['Komunikaty serwera po polsku.', 'Sześć tekstów z pliku `spigot.yml`.'],
      de: ['Was ein Server den Spielern sagt, auf Polnisch.', 'Sechs Texte aus `spigot.yml`.'],
    },
  ),
]
