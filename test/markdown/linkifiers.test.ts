import t from 'tap'
import { findLiteral } from '../../workers/pool/markdown/compile-linkifier.ts'
import { checkCases, html, p } from './sample.ts'

const issue = (id: string) => `<a href="https://issues.example.com/${id}">#${id}</a>`

t.test('[MD32] a match of a linkifier becomes a link by its template', async (t) => {
  checkCases(t, {
    '#12': p(issue('12')),
    'see #12, #13 and #14.': p(`see ${issue('12')}, ${issue('13')} and ${issue('14')}.`),
    '#12 #13': p(`${issue('12')} ${issue('13')}`),
    '(#12)': p(`(${issue('12')})`),
    '**#12**': p(`<strong>${issue('12')}</strong>`),
    '#12\n#13': p(`${issue('12')}<br>\n${issue('13')}`),
    'TKT-7': p('<a href="https://tickets.example.com/?q=7">TKT-7</a>'),
  })
})

t.test('[MD33] a match has no letter or digit next to it', async (t) => {
  checkCases(t, { 'a#12': p('a#12'), '#12a': p('#12a'), '#12é': p('#12é'), '##12': p('##12'), '#': p('#') })
})

t.test('[MD34] linkifiers are tried in order, and the first match wins', async (t) => {
  checkCases(t, {
    'org/repo#12': p('<a href="https://git.example.com/org/repo/12">org/repo#12</a>'),
    'TKT-7 TKT-8x': p(
      '<a href="https://tickets.example.com/?q=7">TKT-7</a> <a href="https://second.example.com/8x">TKT-8x</a>',
    ),
  })
})

t.test('[MD102] a link can directly follow or precede that of another linkifier', async (t) => {
  const linkifiers = [
    { pattern: 'a(?P<id>[0-9]+),', urlTemplate: 'https://a.example.com/{id}' },
    { pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://b.example.com/{id}' },
  ]
  const a = (id: number) => `<a href="https://a.example.com/${id}">a${id},</a>`
  const b = (id: number) => `<a href="https://b.example.com/${id}">#${id}</a>`
  for (const order of [linkifiers, linkifiers.toReversed()]) {
    checkCases(
      t,
      { 'a1,#2': p(a(1) + b(2)), 'a1,#2,#3 a4,#5': p(`${a(1)}${b(2)},${b(3)} ${a(4)}${b(5)}`) },
      { linkifiers: order },
    )
  }
})

t.test('[MD35] code, links and addresses are not linkified', async (t) => {
  checkCases(t, {
    '`#12`': p('<code>#12</code>'),
    '```\n#12\n```': '<div class="codehilite"><pre><span></span><code>#12\n</code></pre></div>',
    '[#12](https://example.com)': p('<a href="https://example.com">#12</a>'),
    'https://example.com/#12': p('<a href="https://example.com/#12">https://example.com/#12</a>'),
  })
})

t.test('[MD36] a template with a forbidden scheme makes no link', async (t) => {
  checkCases(t, { 'run this now': p('run this now') })
})

t.test('[MD37] values are encoded as the template requires', async (t) => {
  const linkifiers = [{ pattern: 'q:(?P<q>[^ ]+)', urlTemplate: 'https://x.example.com/{q}{?q}' }]
  t.equal(
    html('q:a&"b/c', { linkifiers }),
    p('<a href="https://x.example.com/a%26%22b%2Fc?q=a%26%22b%2Fc">q:a&amp;&quot;b/c</a>'),
  )
})

t.test('[MD38] a pattern that backtracks for ever elsewhere takes one scan', async (t) => {
  const linkifiers = [{ pattern: '(?P<all>(a+)+b)', urlTemplate: 'https://x.example.com/{all}' }]
  const text = 'a'.repeat(10_000)
  t.equal(html(text, { linkifiers }), p(text))
})

t.test(
  '[MD39] the text that every match must contain is derived from the pattern, and never too much',
  async (t) => {
    const cases: Record<string, string> = {
      '#(?P<id>[0-9]+)': '#',
      'TKT-(?P<id>[0-9]+)': 'TKT-',
      'a|b': '',
      '(?i)abc': '',
      'ab?c': 'a',
      'ab*cd': 'cd',
      'xa+': 'xa',
      'a{0,2}bc': 'bc',
      '[abc]d': 'd',
      '[]]x': 'x',
      '[^]]x': 'x',
      '[[:alpha:]]xy': 'xy',
      '(a|b)cd': 'cd',
      '([)])e': 'e',
      'a\\.b': 'a.b',
      'a\\d+bcd': 'bcd',
      '\\x41b': '',
      '\\Qa|b\\E': '',
      '': '',
    }
    for (const [pattern, literal] of Object.entries(cases)) t.equal(findLiteral(pattern), literal, pattern)
  },
)
