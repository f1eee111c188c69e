/** All that customers do. */
import type { Command } from './command.ts'
import { debtCommands } from './debt.ts'
import { depositCommands } from './deposit-commands.ts'
import { giftCommands } from './gift-commands.ts'
import { planCommands } from './plan-commands.ts'
import { serviceCommands } from './service-commands.ts'

export const commands: readonly Command[] = [
  ...depositCommands,
  ...serviceCommands,
  ...planCommands,
  ...giftCommands,
  ...debtCommands,
]
