/** Why a credit note was made, in words, in every language: frozen with it. */
import type { Texts } from './snapshot.ts'

const givenBack: Texts = {
  en: 'payment refunded in part or in full',
  pl: 'zwrot części lub całości zapłaty',
  de: 'Zahlung ganz oder teilweise erstattet',
}
const taxCorrected: Texts = {
  en: 'VAT corrected, because the buyer’s VAT ID was confirmed after the sale',
  pl: 'korekta VAT: numer VAT nabywcy potwierdzono po sprzedaży',
  de: 'Umsatzsteuer berichtigt: USt-IdNr. des Käufers erst nach dem Verkauf bestätigt',
}

/** @param sale `other_rule`: of a top-up that is taxed by another rule, of which nothing is paid back. */
export function reasonOf({ action, details }: { action: string; details: Record<string, unknown> }): Texts {
  return action === 'TAX_CORRECTION' || details['other_rule'] === true ? taxCorrected : givenBack
}

/** Of a credit note; those from before it was frozen were all made for one reason. */
export const reasonIn = ({ reason = givenBack }: { reason?: Texts | undefined }): Texts => reason
