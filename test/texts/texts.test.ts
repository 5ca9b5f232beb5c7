/** Texts with values, and catalogues as files. */

import t from 'tap'
import { fillParts, readText, type Values } from '../../packages/texts/icu.ts'
import { findLanguage } from '../../packages/texts/languages.ts'
import { catalogueOf, readPo, writePo } from '../../packages/texts/read-po.ts'
import { contextual, openTexts } from '../../packages/texts/texts.ts'

const fill = (text: string, values: Values, locale = 'en') => fillParts(readText(text), values, locale)

t.test('[TEXTS1] values, plurals and choices are filled in as the language does', async (t) => {
  t.equal(fill('{name} left #{ channel }', { name: 'Ada', channel: 'general' }), 'Ada left #general')
  const messages = '{count, plural, =0 {no messages} one {# message} other {# messages}} in {place}'
  t.equal(fill(messages, { count: 0, place: 'general' }), 'no messages in general')
  t.equal(fill(messages, { count: 1, place: 'general' }), '1 message in general')
  t.equal(fill(messages, { count: 1200, place: 'general' }), '1,200 messages in general')
  t.equal(fill(messages, { count: 1200, place: 'general' }, 'de'), '1.200 messages in general')
  const hebrew = '{n, plural, one {אחד} two {שניים} other {#}}'
  t.same(
    [1, 2, 3].map((n) => fill(hebrew, { n }, 'he')),
    ['אחד', 'שניים', '3'],
  )
  const arabic = '{n, plural, zero {z} one {o} two {t} few {f} many {m} other {x}}'
  t.same([0, 1, 2, 3, 11, 100].map((n) => fill(arabic, { n }, 'ar')).join(''), 'zotfmx')
  t.equal(fill('{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', { n: 22 }), '22nd')
  const choice = '{kind, select, web {public} other {{n, plural, one {# is {kind}} other {# are {kind}}}}}'
  t.equal(fill(choice, { kind: 'web', n: 2 }), 'public')
  t.equal(fill(choice, { kind: 'private', n: 2 }), '2 are private')
})

t.test('[TEXTS2] apostrophes quote braces, and values are never read as texts', async (t) => {
  t.equal(fill("it''s '{name}' and {name}", { name: '{name} # }' }), "it's {name} and {name} # }")
  t.equal(fill('# stays outside of plurals', {}), '# stays outside of plurals')
  t.equal(fill('{n, plural, other {{m, plural, other {#}} of #}}', { n: 9, m: 4 }), '4 of 9')
  for (const broken of [
    '{',
    '}',
    '{n',
    '{n, plural',
    '{n, plural, one',
    '{n, plural, one {',
    "'{",
    '{n, plural,}',
  ]) {
    t.type(fill(broken, { n: 1 }), 'string', broken)
  }
})

t.test('[TEXTS3] a text without a translation appears in English', async (t) => {
  const german = openTexts('de', {
    Read: 'Gelesen',
    [contextual('action', 'Read')]: 'Lesen',
    '{count, plural, one {# topic} other {# topics}}': '{count, plural, one {# Thema} other {# Themen}}',
  })
  t.equal(german.t('Read'), 'Gelesen')
  t.equal(german.t('Read', undefined, 'action'), 'Lesen')
  t.equal(german.t('Write'), 'Write')
  t.equal(german.t('{count, plural, one {# topic} other {# topics}}', { count: 2 }), '2 Themen')
  t.equal(german.t('{count, plural, one {# file} other {# files}}', { count: 1 }), '1 file')
  const english = openTexts('en')
  t.equal(english.t('{braces} without values'), '{braces} without values')
})

t.test('[TEXTS4] a catalogue file is read and written without a loss', async (t) => {
  const entries = [
    { id: 'Read', translation: 'Gelesen', isFuzzy: false },
    { id: 'Read', context: 'action', translation: 'Lesen', isFuzzy: false, where: 'client/a.ts' },
    { id: 'a "quote"\\\nand a line', translation: 'ein „Zitat“\t', isFuzzy: false },
    { id: 'Unsure', translation: 'Unsicher', isFuzzy: true },
    { id: 'Missing', translation: '', isFuzzy: false },
  ]
  const file = writePo('de', entries)
  t.same(
    readPo(file),
    entries.map(({ id, context, translation, isFuzzy }) => ({
      id,
      ...(context !== undefined && { context }),
      translation,
      isFuzzy,
    })),
  )
  t.same(catalogueOf(file), {
    Read: 'Gelesen',
    [contextual('action', 'Read')]: 'Lesen',
    'a "quote"\\\nand a line': 'ein „Zitat“\t',
  })
  t.same(readPo('msgid ""\n"long"\n" text"\nmsgstr "x"\n"y"\n'), [
    { id: 'long text', translation: 'xy', isFuzzy: false },
  ])
  t.throws(() => readPo('msgid "one"\nmsgid_plural "more"\n'), /not readable/)
})

t.test('[TEXTS5] the language is the first one wanted that has texts', async (t) => {
  t.equal(findLanguage(['', 'fr-CA', 'de-AT', 'en']), 'de')
  t.equal(findLanguage(['DE']), 'de')
  t.equal(findLanguage(['constructor', 'fr']), 'en')
  t.equal(findLanguage([]), 'en')
})
