/** Rules of the game, settings and words. */
import { meta, pack, ruled, type Sample, texts } from './sample.ts'

export const first: readonly Sample[] = [
  ruled('quiet-nights', 'Quiet nights', ['gameplay'], ['gamerule playersSleepingPercentage 1'], {
    en: ['One player in bed is enough to skip the night.', 'Sets `playersSleepingPercentage` to 1 when it is loaded.'],
    pl: ['Wystarczy jeden gracz w łóżku, by minęła noc.', 'Przy wczytaniu ustawia `playersSleepingPercentage` na 1.'],
    de: [
      'Ein Spieler im Bett genügt, um die Nacht zu überspringen.',
      'Setzt beim Laden `playersSleepingPercentage` auf 1.',
    ],
  }),
  ruled('gentle-creepers', 'Gentle creepers', ['protection'], ['gamerule mobGriefing false'], {
    en: [
      'Creepers still hurt, but leave your walls alone.',
      'Sets `mobGriefing` to false. Villagers then harvest nothing either.',
    ],
    pl: [
      'Creepery nadal ranią, ale oszczędzają ściany.',
      'Ustawia `mobGriefing` na false. Osadnicy też wtedy niczego nie zbierają.',
    ],
    de: [
      'Creeper tun noch weh, lassen aber deine Mauern stehen.',
      'Setzt `mobGriefing` auf false. Dorfbewohner ernten dann auch nichts mehr.',
    ],
  }),
  ruled('keep-what-you-carry', 'Keep what you carry', ['gameplay'], ['gamerule keepInventory true'], {
    en: ['Death costs nothing but the way back.', 'Sets `keepInventory` to true for every world of the server.'],
    pl: ['Śmierć kosztuje tylko drogę powrotną.', 'Ustawia `keepInventory` na true we wszystkich światach serwera.'],
    de: ['Der Tod kostet nur den Weg zurück.', 'Setzt `keepInventory` in allen Welten des Servers auf true.'],
  }),
  ruled('steady-light', 'Steady light', ['building'], ['gamerule doDaylightCycle false', 'time set noon'], {
    en: ['It is always noon: for builders and pictures.', 'Stops the day-night cycle at noon.'],
    pl: ['Zawsze południe: dla budowniczych i do zrzutów.', 'Zatrzymuje cykl dnia i nocy w południe.'],
    de: ['Immer Mittag: für Baumeister und Bilder.', 'Hält den Wechsel von Tag und Nacht am Mittag an.'],
  }),
  ruled('clear-skies', 'Clear skies', ['building'], ['gamerule doWeatherCycle false', 'weather clear'], {
    en: ['No rain, no thunder, no lag from either.', 'Clears the weather and stops it from changing.'],
    pl: ['Bez deszczu, burz i lagów z ich powodu.', 'Rozpogadza i zatrzymuje zmiany pogody.'],
    de: ['Kein Regen, kein Gewitter, kein Ruckeln davon.', 'Sorgt für klaren Himmel und lässt das Wetter so.'],
  }),
  {
    slug: 'sample-small-paper',
    name: 'Paper for small servers',
    type: 'config',
    labels: ['sample', 'performance'],
    loaders: ['paper'],
    versions: ['1.21.1', '1.21.4'],
    file: {
      name: 'small-paper-1.0.0.zip',
      bytes: pack({
        'spigot.yml':
          'world-settings:\n  default:\n    view-distance: 6\n    simulation-distance: 4\n    mob-spawn-range: 4\n',
        'bukkit.yml': 'spawn-limits:\n  monsters: 30\n  animals: 8\n  water-animals: 3\n  ambient: 1\n',
      }),
    },
    texts: texts({
      en: [
        'Settings that let a small plan carry more players.',
        'Shorter view and simulation distances, and fewer mobs at once.',
      ],
      pl: [
        'Ustawienia, dzięki którym mały plan uniesie więcej graczy.',
        'Krótszy zasięg widzenia i symulacji oraz mniej mobów naraz.',
      ],
      de: [
        'Einstellungen, mit denen ein kleiner Tarif mehr Spieler trägt.',
        'Kürzere Sicht- und Simulationsweite und weniger Mobs zugleich.',
      ],
    }),
  },
  {
    slug: 'sample-plain-words',
    name: 'Plain words',
    type: 'resourcepack',
    labels: ['sample', 'language'],
    loaders: ['vanilla'],
    versions: ['1.21', '1.21.4'],
    file: {
      name: 'plain-words-1.0.0.zip',
      bytes: pack({
        'pack.mcmeta': meta('Wakestone sample: plain words', 34),
        'assets/minecraft/lang/en_us.json': JSON.stringify({
          'deathScreen.title': 'That went wrong',
          'menu.disconnect': 'Leave the server',
          'multiplayer.disconnect.server_shutdown': 'The server went to sleep. Join to wake it.',
        }),
      }),
    },
    texts: texts({
      en: [
        'Friendlier words where the game is curt.',
        'Changes three English texts of the game, the one about a stopped server among them.',
      ],
      pl: [
        'Milsze słowa tam, gdzie gra jest szorstka.',
        'Zmienia trzy angielskie teksty gry, w tym ten o zatrzymanym serwerze.',
      ],
      de: [
        'Freundlichere Worte, wo das Spiel knapp ist.',
        'Ändert drei englische Texte des Spiels, darunter den über einen gestoppten Server.',
      ],
    }),
  },
]
