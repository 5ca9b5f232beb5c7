import t from 'tap'
import { renderMarkdown, renderParsed } from '../../workers/pool/markdown/render-markdown.ts'
import { renderPlain } from '../../workers/pool/markdown/render-plain.ts'
import type { MentionSnapshot } from '../../workers/pool/markdown/snapshot.ts'
import { UNITS } from './hostile-texts.ts'
import { SAMPLE } from './sample.ts'

/** Its linkifiers have no text in common that would send every text to the parser. */
const SNAPSHOT: MentionSnapshot = {
  ...SAMPLE,
  linkifiers: [
    { pattern: 'TKT-(?P<id>[0-9]+)', urlTemplate: 'https://tickets.example.com/?q={id}' },
    { pattern: 'room (?P<id>[0-9]+)', urlTemplate: 'https://rooms.example.com/{id}' },
  ],
}

/** Whether a text is plain; then the parser must agree. */
function isPlain(text: string, snapshot = SNAPSHOT): boolean {
  if (renderPlain(text, snapshot) === undefined) return false
  const [found, wanted] = [
    renderMarkdown(text, snapshot),
    renderParsed(text, snapshot, Number.POSITIVE_INFINITY),
  ]
  if (JSON.stringify(found) === JSON.stringify(wanted)) return true
  throw new Error(`${JSON.stringify(text)} became ${found.html}, not ${wanted.html}`)
}

t.test('[MD103] a plain sentence is rendered without the parser', async (t) => {
  const plain = [
    'thanks!',
    '12 of them: I took 2.5, "who" takes the rest?',
    "(I'd rather not; it's late) :)",
    'das wäre schön, да, 好的',
    'either/or, 50% = half',
  ]
  for (const text of plain) t.ok(isPlain(text), text)
})

t.test('[MD104] rendering without the parser gives what the parser gives, whatever the text', async (t) => {
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
  let count = 0
  const check = (text: string) => void (isPlain(text) && count++)
  for (let code = 0; code < 0x10000; code++) {
    const one = String.fromCharCode(code)
    for (const text of [
      one,
      `${one}b`,
      `a${one}`,
      `a${one}b`,
      `a ${one} b`,
      `1${one} a`,
      `a.${one}b`,
      `a:${one}`,
    ])
      check(text)
  }
  for (const one of ascii) {
    for (const other of ascii) {
      for (const text of [
        `${one}${other}`,
        `${one}${other}a b`,
        `a${one}${other}b`,
        `a ${one}${other}`,
        `1${one} ${other}`,
      ])
        check(text)
    }
  }
  const pieces = ['a', 'com', 'www', 'http', '12', 'TKT-1', 'room 4', ...Array.from(` .,:;?!"'()/%+=-_*~<[]`)]
  for (const one of pieces)
    for (const two of pieces)
      for (const three of pieces) for (const four of pieces) check(one + two + three + four)
  for (const unit of UNITS) for (const text of [unit, `a ${unit}`, `a${unit}b`]) check(text)
  t.ok(count > 50_000, `${count} were plain`)
})

t.test('[MD105] a text that a linkifier or an emoticon may change goes to the parser', async (t) => {
  t.notOk(isPlain('see TKT-12'))
  t.notOk(isPlain('see room 12'))
  t.ok(isPlain('see rooms 12'))
  t.notOk(isPlain('well (: x', { ...SNAPSHOT, isTranslatingEmoticons: true }))
  // A pattern without a literal part may match anything.
  t.notOk(
    isPlain('see 12', {
      ...SNAPSHOT,
      linkifiers: [{ pattern: '[0-9]+', urlTemplate: 'https://x.example.com' }],
    }),
  )
})
