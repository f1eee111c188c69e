/** What a website begins with: a page that says something already, so that nobody stands before an empty one. */
import type { Language } from '@wakestone/contract/primitives'
import type { WebsiteContent } from '@wakestone/contract/websites/content'
import { placeholders } from '@wakestone/contract/websites/unfinished'

const words: Record<Language, { home: string; rules: string[]; rulesTitle: string; play: string; players: string }> = {
  en: {
    home: 'Home',
    rulesTitle: 'Rules',
    rules: [
      'Be kind to each other.',
      'No cheating, no griefing.',
      'What others built is theirs: ask before you take or change anything.',
      'Something wrong? Tell the team instead of settling it yourself.',
    ],
    play: 'Play with us',
    players: 'Who is playing',
  },
  pl: {
    home: 'Strona główna',
    rulesTitle: 'Zasady',
    rules: [
      'Szanujmy się nawzajem.',
      'Bez oszustw i niszczenia cudzych budowli.',
      'Cudze jest cudze: zanim coś weźmiesz albo zmienisz, zapytaj.',
      'Coś jest nie tak? Napisz do ekipy, zamiast wymierzać sprawiedliwość.',
    ],
    play: 'Zagraj z nami',
    players: 'Kto teraz gra',
  },
  de: {
    home: 'Startseite',
    rulesTitle: 'Regeln',
    rules: [
      'Seid nett zueinander.',
      'Kein Schummeln, kein Zerstören fremder Bauten.',
      'Was andere gebaut haben, gehört ihnen: Frag, bevor du etwas nimmst oder änderst.',
      'Stimmt etwas nicht? Sag dem Team Bescheid, statt es selbst zu regeln.',
    ],
    play: 'Spiel mit',
    players: 'Wer gerade spielt',
  },
}

/** @param server whose address and players it shows; empty where there is none yet */
export function firstContent({
  name,
  language,
  server,
}: {
  name: string
  language: Language
  server: string
}): WebsiteContent {
  const said = words[language]
  const text = (value: string) => ({ en: '', pl: '', de: '', [language]: value })
  const none = text('')
  return {
    languages: [language],
    theme: { look: 'lantern', accent: '', font: 'sans', corners: 'soft' },
    pages: [
      {
        slug: '',
        title: text(said.home),
        description: none,
        blocks: [
          {
            id: 'hero-1',
            type: 'hero',
            props: {
              title: text(name),
              text: text(placeholders[language]),
              image: '',
              scene: true,
              button: { label: none, link: '' },
              align: 'center',
            },
          },
          {
            id: 'status-1',
            type: 'status',
            props: { server, title: text(said.play), show_version: true, show_steps: true },
          },
          { id: 'players-1', type: 'players', props: { server, title: text(said.players) } },
          {
            id: 'rules-1',
            type: 'rules',
            props: {
              title: text(said.rulesTitle),
              intro: none,
              items: said.rules.map((rule) => ({ text: text(rule) })),
            },
          },
          { id: 'footer-1', type: 'footer', props: { text: text(name), links: [] } },
        ],
      },
    ],
  }
}
