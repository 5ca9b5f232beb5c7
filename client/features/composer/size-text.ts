/** Sizes of files in words. */

const KIB = 1024
const ONE_DIGIT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** `340 KB`, `2.4 MB`. */
export function sizeText(bytes: number): string {
  const kib = bytes / KIB
  if (kib < 1) return `${bytes} bytes`
  if (kib < KIB) return `${Math.round(kib)} KB`
  return `${ONE_DIGIT.format(kib / KIB)} MB`
}
