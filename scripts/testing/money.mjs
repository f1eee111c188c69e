// A random history of customers against the model of what they must have, and every price in every country.
export const moneyFiles = ['tests/money/money-model.test.ts', 'tests/money/money-every-price.test.ts']

/** For MONEY_SECONDS (ten minutes), or for MONEY_STEPS. */
export const moneySettings = () => ({ MONEY_SECONDS: process.env.MONEY_SECONDS ?? '600', MONEY_FULL: '1' })
