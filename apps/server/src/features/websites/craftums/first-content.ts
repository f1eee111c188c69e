/** What a website begins with: a page that says something already, so that nobody stands before an empty one. */
import type { Language } from '@wakestone/contract/primitives'
import type { WebsiteContent } from '@wakestone/contract/websites/content'
import { placeholders } from '@wakestone/contract/websites/unfinished'

const words: Record<Language, { home: string; rules: string[]; rulesTitle: string; play: string }> = {
  en: {
    home: 'Home',
    rulesTitle: 'Rules',
    rules: ['Be kind to each other.', 'No cheating, no griefing.'],
    play: 'Play with us',
  },
  pl: {
    home: 'Strona główna',
    rulesTitle: 'Zasady',
    rules: ['Szanujmy się nawzajem.', 'Bez oszustw i niszczenia cudzych budowli.'],
    play: 'Zagraj z nami',
  },
  de: {
    home: 'Startseite',
    rulesTitle: 'Regeln',
    rules: ['Seid nett zueinander.', 'Kein Schummeln, kein Zerstören fremder Bauten.'],
    play: 'Spiel mit',
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
              button: { label: none, link: '' },
              align: 'center',
            },
          },
          { id: 'status-1', type: 'status', props: { server, title: text(said.play), show_version: true } },
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
