import { type OperationPhase, operationPhases } from '@wakestone/contract/servers/operations'
import type { useTranslation } from '#app/i18n/texts.tsx'

type Translate = ReturnType<typeof useTranslation>['t']

const phases = new Set<string>(Object.values(operationPhases).flat())
const isKnown = (phase: string): phase is OperationPhase => phases.has(phase)

/** What happens in a phase. A newer server may have phases that this page has no words for. */
export const phaseText = (t: Translate, phase: string): string =>
  isKnown(phase) ? t(`operations.phase.${phase}`) : phase
