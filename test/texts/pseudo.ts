/** A language that nobody speaks: English with accents, and a third longer. It shows texts that no catalogue has. */

import { readText } from '../../packages/texts/icu.ts'
import { contextual } from '../../packages/texts/texts.ts'
import { FAMILIES, textsOf } from './find-texts.ts'

const PLAIN = 'AaBbCcDdEeGgHhIiJjKkLlNnOoPpRrSsTtUuWwYyZz'
const ACCENTED = 'ÅåƁƀÇçÐđÉéĜĝĤĥÎîĴĵĶķĻļÑñÖöÞþŔŕŠšŢţÛûŴŵÝýŽž'
/** Letters without a likeness: M, F, V, X, Q and their small ones. */
const OTHERS: Readonly<Record<string, string>> = {
  m: 'ɱ',
  M: 'Ṁ',
  f: 'ƒ',
  F: 'Ƒ',
  v: 'ṽ',
  V: 'Ṽ',
  x: 'ẋ',
  X: 'Ẋ',
  q: 'ɋ',
  Q: 'Ɋ',
}

function accent(text: string): string {
  const letters = [...text.matchAll(/<\/?\d+\/?>|./gsu)].map(([one]) => {
    const index = PLAIN.indexOf(one)
    return one.length > 1 ? one : (OTHERS[one] ?? (index < 0 ? one : (ACCENTED[index] ?? one)))
  })
  const count = Math.floor((text.match(/\p{L}/gu)?.length ?? 0) / 3)
  return letters.join('') + 'ē'.repeat(count)
}

function accentParts(parts: ReturnType<typeof readText>): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return accent(part)
      const { name, kind, cases } = part
      if (!cases) return `{${name}}`
      return `{${name}, ${kind}, ${Object.entries(cases)
        .map(([key, value]) => `${key} {${accentParts(value)}}`)
        .join(' ')}}`
    })
    .join('')
}

/** The catalogue of the browser client. */
export function pseudoCatalogue(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    textsOf(FAMILIES[0].sources).map(({ id, context, values }) => [
      context === undefined ? id : contextual(context, id),
      values ? accentParts(readText(id)) : accent(id),
    ]),
  )
}
