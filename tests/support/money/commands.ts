/** All that customers do. */
import { buyerCommands } from './buyer-commands.ts'
import type { Command } from './command.ts'
import { debtCommands } from './debt.ts'
import { depositCommands } from './deposit-commands.ts'
import { giftCommands } from './gift-commands.ts'
import { planCommands } from './plan-commands.ts'
import { plannedCommands } from './planned-commands.ts'
import { returnCommands } from './return-commands.ts'
import { serviceCommands } from './service-commands.ts'
import { stallCommands } from './stall-commands.ts'
import { withdrawCommands } from './withdraw-commands.ts'

export const commands: readonly Command[] = [
  ...depositCommands,
  ...serviceCommands,
  ...withdrawCommands,
  ...planCommands,
  ...giftCommands,
  ...debtCommands,
  ...plannedCommands,
  ...returnCommands,
  ...buyerCommands,
  ...stallCommands,
]
