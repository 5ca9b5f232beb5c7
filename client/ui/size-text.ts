/** Sizes of files and tables in words. */

import { locale, t } from '../texts/texts.ts'

const KIB = 1024
const ONE_DIGIT = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })

/** `340 KB`, `2.4 MB`, `1.2 GB`. */
export function sizeText(bytes: number): string {
  const kib = bytes / KIB
  if (kib < 1) return t('{bytes} bytes', { bytes })
  if (kib < KIB) return t('{size} KB', { size: Math.round(kib) })
  if (kib < KIB * KIB) return t('{size} MB', { size: ONE_DIGIT.format(kib / KIB) })
  return t('{size} GB', { size: ONE_DIGIT.format(kib / KIB / KIB) })
}
