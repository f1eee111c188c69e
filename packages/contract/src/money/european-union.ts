/** The EU's members by ISO 3166-1 code, as VAT sees them: Monaco counts as France. */
const members = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')

export const isInEu = (country: string) => members.includes(vatCountry(country))

/** The country whose VAT is due for buyers in this one. */
export const vatCountry = (country: string) => (country === 'MC' ? 'FR' : country)
