import type { EngineId } from '@wakestone/contract/servers/engine-ids'

const sheet = 'M4 1.8h5.2L12.5 5v9.2H4zM9 1.8V5h3.5'
const anvil = 'M1.8 4.5h12.4c0 2-1.6 3.2-4 3.2v1.6l2 2.9H4.8l2-2.9V7.7c-3 0-5-1-5-3.2z'
const slabs = 'M8 2l6 3-6 3-6-3zM2 8.2l6 3 6-3M2 11.2l6 3 6-3'

/** Drawn by us: none is anybody's trademark. */
const drawings: Record<EngineId, string> = {
  'flying-squid': 'M3.5 8.5C3.5 4.5 5.5 2 8 2s4.5 2.5 4.5 6.5L11 11H5zM5 11v3M8 11v3M11 11v3M6.6 7v.4M9.4 7v.4',
  paper: sheet,
  purpur: `${sheet}M8.2 7.2l2 2.2-2 2.2-2-2.2z`,
  folia: 'M3 13.2C3 7 7 3 13.2 2.8 13 9 9 13 3 13.2zM3 13.2l6-6.4',
  fabric: 'M2.5 5.5h11M2.5 10.5h11M5.5 2.5v11M10.5 2.5v11',
  quilt: 'M2.8 2.8h4.4v4.4H2.8zM8.8 2.8h4.4v4.4H8.8zM2.8 8.8h4.4v4.4H2.8zM8.8 8.8h4.4v4.4H8.8z',
  neoforge: `${anvil}M12.5 1v2M11.5 2h2`,
  forge: anvil,
  vanilla: 'M8 1.8l5.5 3.1v6.2L8 14.2l-5.5-3.1V4.9zM2.5 4.9L8 8l5.5-3.1M8 8v6.2',
  spigot: 'M8 1.8s4.4 5 4.4 8a4.4 4.4 0 0 1-8.8 0c0-3 4.4-8 4.4-8z',
  'own-jar': 'M5 2h6M5.6 2v2.4L4 6.6v7.6h8V6.6l-1.6-2.2V2M4 9h8',
  velocity: 'M2.8 3.5L7.3 8l-4.5 4.5M8.2 3.5L12.7 8l-4.5 4.5',
  'bedrock-dedicated': slabs,
  pocketmine: 'M4.5 1.8h7v12.4h-7zM7 11.8h2',
  nukkit: 'M8 1.8l6 10.8H2zM8 6v3.2M8 10.8v.3',
  powernukkitx: 'M9 1.8L4 9h3.4L7 14.2 12 7H8.6z',
  serenity: 'M2 9.5c2-2.6 4-2.6 6 0s4 2.6 6 0M2 5.8c2-2.6 4-2.6 6 0s4 2.6 6 0',
}

/** A small sign for what a server runs on. */
export function EngineMark({ engine, size = 16 }: { engine: EngineId; size?: number }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      style={{ flex: 'none' }}
    >
      <path d={drawings[engine]} />
    </svg>
  )
}
