/** The colours of each look: of its page, and of the landscape at its head. */
import type { WebsiteTheme } from '@wakestone/contract/websites/content'
import type { Tone } from './scene.ts'

export type Look = {
  ground: string
  raised: string
  line: string
  text: string
  muted: string
  accent: string
  dark: boolean
  /** From above to the horizon. Texts stand on both. */
  sky: [high: string, low: string]
  /** What goes with it, until its owner chooses otherwise. */
  goesWith: Pick<WebsiteTheme, 'font' | 'corners'>
  /** By night the lights are the accent. */
  scene: Record<Exclude<Tone, 'light'>, string> & { light?: string }
}

export const looks: Record<WebsiteTheme['look'], Look> = {
  lantern: {
    ground: '#0e1116',
    raised: '#171c24',
    line: '#27303b',
    text: '#e8ebef',
    muted: '#a3aebc',
    accent: '#f5b942',
    dark: true,
    sky: ['#0b0f1a', '#1c2748'],
    goesWith: { font: 'sans', corners: 'soft' },
    scene: {
      orb: '#f3ead0',
      star: '#8f9cc4',
      far: '#23305a',
      mid: '#1a2444',
      near: '#1b1a1d',
      turf: '#2f4a35',
      wall: '#5a4330',
      roof: '#33251d',
      leaf: '#22402f',
      water: '#1a2444',
    },
  },
  daylight: {
    ground: '#faf9f6',
    raised: '#ffffff',
    line: '#e0ddd4',
    text: '#1b1f24',
    muted: '#4d565f',
    accent: '#8a5900',
    dark: false,
    sky: ['#cfe6f7', '#f4f5ec'],
    goesWith: { font: 'serif', corners: 'soft' },
    scene: {
      orb: '#ffd45e',
      star: '#ffffff',
      far: '#b5d3c4',
      mid: '#8dbf93',
      near: '#7a5a3c',
      turf: '#5c9a4a',
      wall: '#b98a57',
      roof: '#7d4a32',
      leaf: '#417a3c',
      water: '#7fb8dc',
      light: '#ffe7a3',
    },
  },
  forest: {
    ground: '#0f1712',
    raised: '#17231b',
    line: '#283a2e',
    text: '#e6f0e9',
    muted: '#a2b5a8',
    accent: '#6fce9a',
    dark: true,
    sky: ['#0b1610', '#1b3a2b'],
    goesWith: { font: 'sans', corners: 'round' },
    scene: {
      orb: '#dff3d8',
      star: '#7fa890',
      far: '#1f4534',
      mid: '#173527',
      near: '#1a1712',
      turf: '#2e5233',
      wall: '#4b3a29',
      roof: '#2b211a',
      leaf: '#10281b',
      water: '#173527',
    },
  },
  ocean: {
    ground: '#f2f7fb',
    raised: '#ffffff',
    line: '#d3e0ea',
    text: '#10222f',
    muted: '#44596a',
    accent: '#0b6aa8',
    dark: false,
    sky: ['#b9e0f5', '#eaf6fa'],
    goesWith: { font: 'sans', corners: 'round' },
    scene: {
      orb: '#ffe08a',
      star: '#ffffff',
      far: '#a9d0e3',
      mid: '#7db6d3',
      near: '#e3cf9a',
      turf: '#6fae6a',
      wall: '#fdf6ea',
      roof: '#b5493c',
      leaf: '#3f8a55',
      water: '#4a9fcd',
      light: '#ffd34d',
    },
  },
  ember: {
    ground: '#1a0f0e',
    raised: '#271715',
    line: '#432623',
    text: '#f5e8e6',
    muted: '#c5aba7',
    accent: '#ff8a5c',
    dark: true,
    sky: ['#180b0b', '#66211a'],
    goesWith: { font: 'mono', corners: 'square' },
    scene: {
      orb: '#ff6a2b',
      star: '#a3564a',
      far: '#5a1f1a',
      mid: '#40120f',
      near: '#1d0b0a',
      turf: '#7a2a20',
      wall: '#2a0f10',
      roof: '#170808',
      leaf: '#5a1f1a',
      water: '#f05a1e',
    },
  },
  frost: {
    ground: '#f4f7fb',
    raised: '#ffffff',
    line: '#d6dfea',
    text: '#16202e',
    muted: '#4a586a',
    accent: '#4456c0',
    dark: false,
    sky: ['#c6d7ef', '#f1f4fa'],
    goesWith: { font: 'sans', corners: 'soft' },
    scene: {
      orb: '#fff6d6',
      star: '#ffffff',
      far: '#9fb4d4',
      mid: '#c3d2e6',
      near: '#8fa3bd',
      turf: '#ffffff',
      wall: '#7a5b46',
      roof: '#4d3a30',
      leaf: '#3f6a66',
      water: '#a9c6e6',
      light: '#ffd98a',
    },
  },
  void: {
    ground: '#120e1c',
    raised: '#1c162b',
    line: '#342a4c',
    text: '#ece8f6',
    muted: '#b0a6c8',
    accent: '#d08bff',
    dark: true,
    sky: ['#0c0816', '#2c1a4a'],
    goesWith: { font: 'mono', corners: 'soft' },
    scene: {
      orb: '#e9d8ff',
      star: '#7d68aa',
      far: '#1f1436',
      mid: '#6f6a4c',
      near: '#a39c6b',
      turf: '#d9d193',
      wall: '#1a1126',
      roof: '#0e0917',
      leaf: '#5a3c86',
      water: '#2c1a4a',
    },
  },
}

/** The theme in another look: with what goes with it, where nothing else was chosen. */
export function inLook(theme: WebsiteTheme, look: WebsiteTheme['look']): WebsiteTheme {
  const { font, corners } = looks[theme.look].goesWith
  const isAsItComes = theme.font === font && theme.corners === corners
  return { ...theme, look, ...(isAsItComes && looks[look].goesWith) }
}
