export const engineIds = [
  'flying-squid',
  'paper',
  'purpur',
  'folia',
  'fabric',
  'quilt',
  'neoforge',
  'forge',
  'vanilla',
  'own-jar',
  'bedrock-dedicated',
  'serenity',
] as const
export type EngineId = (typeof engineIds)[number]
