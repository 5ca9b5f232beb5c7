/** Texts that are slow for a careless parser, or make it write invalid HTML. */

/** Openers, closers and whole constructs; each alone, repeated, and nested. */
export const UNITS: readonly string[] = [
  ['@**', '@_**', '@*', '@**a** ', '@**Ada Lovelace** ', '@**all** ', '#**', '#**a>', '#**announce>x** '],
  ['#**announce>x@1** ', '#1 ', '#1', 'TKT-1x ', ':', ':smile:', ':party_cat:', '::', ' :)', '<3'],
  ['$$', '$$a', '$$a$$ ', '$', '\\$', '$$\\frac{', '$$\\sqrt{1}$$ ', '~~', '~~a', '~~a~~ ', '~~*a~~* '],
  [
    '*',
    '**',
    '***',
    '***a** ',
    '*a ',
    '**a *b ',
    '*a*',
    '*a\n',
    '_',
    '`',
    '``a',
    '`a` ',
    '``',
    '[',
    '![',
    '![[',
  ],
  ['[a](', '[a](b', '[*a](b)', '](', '[](', '[ ](/a)', '[a][b]', '[a]: b\n', '[a](b "', '[a](<b', '[a](/b) '],
  [
    '![a](/user_uploads/1/ab/cat.png)',
    '<',
    '<b>',
    '<!--',
    '<time:',
    '<time:1> ',
    '<time:4 Jul 2025>',
    '<time:1 jan (PST) ',
  ],
  [
    '&',
    '&#',
    '&amp',
    '&amp;',
    '&#x1f4a9;',
    '>',
    '> ',
    '>\n',
    '>\n>\na\n',
    '> a\n',
    '- ',
    '- a\n',
    '  - a\n',
    '+ a\n  ',
  ],
  [
    '1. ',
    '1. a\n',
    '9999999999. a\n',
    '* ',
    '- > ',
    '> - ',
    '- 1. > ',
    '- ```\n',
    '> ```\n',
    '```\n',
    '~~~\n',
    '````\n',
    '```css+py2\n',
  ],
  [
    '```quote\n',
    '~~~quote\n```quote\n',
    '```spoiler a\n',
    '```spoiler *a\n',
    '```js\n',
    '```js\n"',
    '```math\n{',
  ],
  ['    a\n', '\t', '# ', '# a\n', '#\n', '---\n', '===\n', '|', '|a', '|-|\n', '|a|\n|-|\n', 'a|b\n-|-\n'],
  [
    'http://',
    'https://a.b/ ',
    'http://a(',
    'http://a.b/(',
    'http://a@b/((((((((',
    'https://x.y/a.png ',
    'example.com ',
    'a.',
    'www.',
  ],
  ['a@', 'a@b.c ', 'mailto:', '//', '.com', '://', 'xn--a.', 'http://[::1]/', 'javascript:', 'data:'],
  [
    '\u{1f389}',
    '\u{1f1e6}',
    '\u{1f469}\u200d',
    '\u{1f44d}\u{1f3fd}',
    '\ufe0f',
    '1\u20e3',
    '\u00a9',
    '\u00e9',
  ],
  [
    '\u0000',
    '\r',
    '\ud800',
    '\udc00',
    '\u2028',
    '\u00a0',
    '\u202e',
    '\\',
    '\\*',
    '"',
    "'",
    '{',
    '}',
    '\n',
    '\n\n',
  ],
  ['a', 'a ', 'a\n', 'a  \n', '/me ', '/poll '],
].flat()

/** At least a thousand texts of up to some thousand characters. */
export function* hostileTexts(length: number): Generator<string> {
  for (const unit of UNITS) {
    yield repeat(unit, length)
    yield repeat(`${unit} `, length)
    yield repeat(`${unit}\n`, length)
    yield repeat(`a${unit}`, length)
    yield repeat(`> ${unit}\n`, length)
    yield repeat(`- ${unit}\n`, length)
    yield repeat(`|${unit}`, length)
  }
  for (const [index, unit] of UNITS.entries()) {
    yield repeat(unit + (UNITS[(index * 7 + 3) % UNITS.length] as string), length)
    yield repeat(unit, length / 2) + repeat(UNITS[(index * 11 + 5) % UNITS.length] as string, length / 2)
  }
  yield Array.from({ length: 140 }, (_, index) => '`'.repeat(index)).join(' ')
  yield `${'|a'.repeat(50)}\n${'|-'.repeat(50)}\n${'|\n'.repeat(length / 2)}`
}

/** Texts of all units in random order; the same for the same seed. */
export function* mixedTexts(count: number, seed: number): Generator<string> {
  let state = seed
  const next = (max: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * max)
  }
  for (let made = 0; made < count; made++) {
    yield Array.from({ length: 1 + next(40) }, () => UNITS[next(UNITS.length)] as string).join('')
  }
}

function repeat(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
}
