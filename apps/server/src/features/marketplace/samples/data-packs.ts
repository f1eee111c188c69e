/** Data packs: rules, numbers beside names, and things that can be crafted. */
import { ruled, type Sample } from './sample.ts'

const recipe = (name: string, pattern: string[], key: Record<string, string>) => ({
  [`data/${name}/recipe/${name}.json`]: JSON.stringify({
    type: 'minecraft:crafting_shaped',
    category: 'misc',
    pattern,
    key,
    result: { id: `minecraft:${name.replace(/^craft_/, '')}`, count: 1 },
  }),
})

export const dataPacks: readonly Sample[] = [
  ruled('no-phantoms', 'No phantoms', ['gameplay'], ['gamerule doInsomnia false'], {
    en: ['Builders may stay up all night.', 'Sets `doInsomnia` to false: nobody is punished for not sleeping.'],
    pl: ['Budowniczowie mogą nie spać całą noc.', 'Ustawia `doInsomnia` na false: brak snu nie przywołuje fantomów.'],
    de: [
      'Baumeister dürfen die Nacht durchmachen.',
      'Setzt `doInsomnia` auf false: Wer nicht schläft, bleibt unbehelligt.',
    ],
  }),
  ruled('fire-stays-put', 'Fire stays put', ['protection'], ['gamerule doFireTick false'], {
    en: [
      'A campfire beside a wooden house is safe.',
      'Sets `doFireTick` to false, so fire neither spreads nor goes out.',
    ],
    pl: [
      'Ognisko obok drewnianego domu jest bezpieczne.',
      'Ustawia `doFireTick` na false: ogień się nie rozprzestrzenia i nie gaśnie.',
    ],
    de: [
      'Ein Lagerfeuer neben dem Holzhaus ist sicher.',
      'Setzt `doFireTick` auf false: Feuer breitet sich nicht aus und erlischt nicht.',
    ],
  }),
  ruled(
    'hearts-under-names',
    'Hearts under names',
    ['scoreboard'],
    ['scoreboard objectives add hearts health "♥"', 'scoreboard objectives setdisplay below_name hearts'],
    {
      en: ['See how your friends are doing.', 'Shows the health of each player below their name.'],
      pl: ['Widać, jak się mają znajomi.', 'Pokazuje zdrowie każdego gracza pod jego nickiem.'],
      de: ['Sieh, wie es deinen Freunden geht.', 'Zeigt die Gesundheit jedes Spielers unter seinem Namen.'],
    },
  ),
  ruled(
    'counted-deaths',
    'Counted deaths',
    ['scoreboard'],
    ['scoreboard objectives add deaths deathCount "Deaths"', 'scoreboard objectives setdisplay list deaths'],
    {
      en: ['See who fell into lava, and how often.', 'Counts deaths and shows them in the list of players.'],
      pl: ['Kto ile razy wpadł do lawy.', 'Liczy śmierci i pokazuje je na liście graczy.'],
      de: ['Wer wie oft in die Lava fiel.', 'Zählt Tode und zeigt sie in der Spielerliste.'],
    },
  ),
  ruled('a-world-with-an-edge', 'A world with an edge', ['performance'], ['worldborder set 4000'], {
    en: ['Keeps a small world small.', 'Sets the world border to 4,000 blocks, so that its files stay small as well.'],
    pl: ['Mały świat pozostaje mały.', 'Ustawia granicę świata na 4000 bloków, więc i jego pliki pozostają małe.'],
    de: ['Hält eine kleine Welt klein.', 'Setzt die Weltgrenze auf 4000 Blöcke, damit auch die Dateien klein bleiben.'],
  }),
  ruled(
    'crafted-saddles',
    'Crafted saddles',
    ['crafting'],
    ['tellraw @a "Saddles can be crafted: leather above, iron below."'],
    {
      en: ['Five leather and two iron make a saddle.', 'Adds one recipe, and changes none.'],
      pl: ['Pięć skór i dwie sztabki dają siodło.', 'Dodaje jedną recepturę i nie zmienia żadnej innej.'],
      de: ['Fünf Leder und zwei Eisen ergeben einen Sattel.', 'Fügt ein Rezept hinzu und ändert keines.'],
    },
    recipe('craft_saddle', ['LLL', 'L L', 'I I'], { L: 'minecraft:leather', I: 'minecraft:iron_ingot' }),
  ),
  ruled(
    'crafted-name-tags',
    'Crafted name tags',
    ['crafting'],
    ['tellraw @a "Name tags can be crafted out of string and paper."'],
    {
      en: ['Every sheep deserves a name.', 'A string, two sheets of paper and an iron ingot make a name tag.'],
      pl: ['Każda owca zasługuje na imię.', 'Nić, dwie kartki papieru i sztabka żelaza dają znacznik.'],
      de: [
        'Jedes Schaf verdient einen Namen.',
        'Ein Faden, zwei Blatt Papier und ein Eisenbarren ergeben ein Namensschild.',
      ],
    },
    recipe('craft_name_tag', ['  S', ' I ', 'PP '], {
      S: 'minecraft:string',
      I: 'minecraft:iron_ingot',
      P: 'minecraft:paper',
    }),
  ),
  ruled('quick-growth', 'Quick growth', ['farming'], ['gamerule randomTickSpeed 6'], {
    en: ['Wheat ripens twice as fast.', 'Sets `randomTickSpeed` to 6, where the game has 3.'],
    pl: ['Pszenica dojrzewa dwa razy szybciej.', 'Ustawia `randomTickSpeed` na 6, a w grze domyślnie jest 3.'],
    de: ['Weizen reift doppelt so schnell.', 'Setzt `randomTickSpeed` auf 6; im Spiel sind es 3.'],
  }),
]
