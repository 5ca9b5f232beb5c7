/** The catalogues of translators beside the texts in the code. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readText } from '../../packages/texts/icu.ts'
import { LANGUAGES } from '../../packages/texts/languages.ts'
import { type PoEntry, readPo } from '../../packages/texts/read-po.ts'
import { FAMILIES, type FoundText, filesOf, findTexts, ROOT, textsOf } from './find-texts.ts'

type Parts = ReturnType<typeof readText>

/** A text as its reader understood it: another one than the text itself if that is not well formed. */
function writeText(parts: Parts): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      const { name, kind, cases } = part
      if (!cases) return `{${name}}`
      const inside = Object.entries(cases).map(([key, value]) => `${key} {${writeText(value)}}`)
      return `{${name}, ${kind}, ${inside.join(' ')}}`
    })
    .join('')
}

const RESTORED = /\{\s*|\s*\}|\s+/g
const plain = (text: string) => text.replaceAll(RESTORED, (space) => space.trim()).replaceAll("'", '')

/** The problems of one text: braces that do not match, cases that the language has not. */
function problemsOf(text: string, language: string): string[] {
  const problems: string[] = []
  const isSame = (parts: Parts) => {
    // A number sign in a plural is a value, and reads as one.
    const written = plain(writeText(parts))
    const counted = written.replaceAll(/\{\w+\}/g, '#')
    return written === plain(text) || counted === plain(text).replaceAll(/\{\w+\}/g, '#')
  }
  const parts = readText(text)
  if (!isSame(parts)) problems.push('is not well formed')
  const check = (some: Parts): void => {
    for (const part of some) {
      if (typeof part === 'string' || !part.cases) continue
      const names = Object.keys(part.cases)
      if (!names.includes('other')) problems.push(`lacks "other" of ${part.name}`)
      const type = part.kind === 'plural' ? 'cardinal' : 'ordinal'
      const known: readonly string[] = new Intl.PluralRules(language, { type }).resolvedOptions()
        .pluralCategories
      if (part.kind !== 'select')
        for (const name of names)
          if (!name.startsWith('=') && !known.includes(name)) problems.push(`${language} has no "${name}"`)
      for (const one of Object.values(part.cases)) check(one)
    }
  }
  check(parts)
  return problems
}

/** The names of values and the numbers of elements in a text. */
function placeholders(text: string): string {
  const names = new Set<string>()
  const collect = (parts: Parts): void => {
    for (const part of parts) {
      if (typeof part === 'string') for (const [tag] of part.matchAll(/<\/?\d+\/?>/g)) names.add(tag)
      else {
        names.add(part.name)
        for (const one of Object.values(part.cases ?? {})) collect(one)
      }
    }
  }
  collect(readText(text))
  return [...names].sort().join(' ')
}

const keyOf = ({ id, context = '' }: { readonly id: string; readonly context?: string }) =>
  `${context}\u0004${id}`
/** Languages that have every text; the others show English for what they lack. */
const COMPLETE: readonly string[] = ['de']

const hasPlaceholders = ({ values }: FoundText) => values !== undefined

for (const { catalogues, sources, textsMin } of FAMILIES) {
  const texts = textsOf(sources)
  const found = new Map(texts.map((text) => [keyOf(text), text]))

  t.test(`[TEXTS6] each text of the code is written out, and gets its values: ${catalogues}`, async (t) => {
    t.ok(texts.length >= textsMin, `${texts.length} texts`)
    t.same(
      filesOf(sources).flatMap((file) => findTexts(file).odd),
      [],
    )
    const wrong = texts.filter(hasPlaceholders).flatMap((text) => {
      const names = placeholders(text.id)
        .replaceAll(/<\/?\d+\/?> ?/g, '')
        .trim()
      const given = [...(text.values ?? [])].sort().join(' ')
      return given === names ? [] : [`${text.where} "${text.id}" gets ${given}`]
    })
    t.same(wrong, [])
    t.same(
      texts
        .filter(hasPlaceholders)
        .flatMap(({ id }) => problemsOf(id, 'en').map((problem) => `"${id}" ${problem}`)),
      [],
    )
  })

  for (const name of readdirSync(join(ROOT, catalogues))) {
    const language = name.replace('.po', '')
    t.test(
      `[TEXTS7] a catalogue translates texts of the code alone, with their values: ${name}`,
      async (t) => {
        t.ok(Object.hasOwn(LANGUAGES, language), 'people can choose it')
        const entries = readPo(readFileSync(join(ROOT, catalogues, name), 'utf8'))
        const problem = (entry: PoEntry): string[] => {
          const text = found.get(keyOf(entry))
          if (!text) return ['is no text of the code']
          if (entry.translation === '') return []
          if (!hasPlaceholders(text)) return []
          const isSame = placeholders(entry.id) === placeholders(entry.translation)
          return [...problemsOf(entry.translation, language), ...(isSame ? [] : ['has other values'])]
        }
        t.same(
          entries.flatMap((entry) => problem(entry).map((one) => `"${entry.id}" ${one}`)),
          [],
        )
        t.equal(new Set(entries.map(keyOf)).size, entries.length, 'each text once')
        if (!COMPLETE.includes(language)) return
        const done = new Set(entries.filter((one) => one.translation !== '' && !one.isFuzzy).map(keyOf))
        t.same(
          texts.filter((text) => !done.has(keyOf(text))).map(({ id }) => id),
          [],
          'it is complete: `npm run texts` adds what is missing',
        )
      },
    )
  }
}
