/**
 * By which rule a sale is taxed. domestic: in the seller's country · destination: the buyer's rate, reported through OSS ·
 * seller_rate: the seller's, to consumers elsewhere in the EU below its threshold · reverse_charge: the buyer accounts
 * for it · outside: beyond the EU.
 */
export const taxTreatments = ['domestic', 'destination', 'seller_rate', 'reverse_charge', 'outside'] as const
export type TaxTreatment = (typeof taxTreatments)[number]
