export const engineIds = ['flying-squid', 'paper', 'vanilla', 'bedrock-dedicated', 'serenity'] as const
export type EngineId = (typeof engineIds)[number]
