import t from 'tap'
import { checkCases, html, p } from './sample.ts'

t.test('[MD56] stars emphasize within one line', async (t) => {
  checkCases(t, {
    '*a*': p('<em>a</em>'),
    '**a**': p('<strong>a</strong>'),
    '***a***': p('<strong><em>a</em></strong>'),
    '***a** b*': p('<em><strong>a</strong> b</em>'),
    '***a* b**': p('<strong><em>a</em> b</strong>'),
    '*a **b***': p('<em>a <strong>b</strong></em>'),
    '**a *b***': p('<strong>a <em>b</em></strong>'),
    '*****a*****': p('<strong><strong><em>a</em></strong></strong>'),
    '***a*** x ***b***': p('<strong><em>a</em></strong> x <strong><em>b</em></strong>'),
    '***a': p('***a'),
    '[***a***](/b)': p('<a href="/b"><strong><em>a</em></strong></a>'),
    '*a b* c *d*': p('<em>a b</em> c <em>d</em>'),
    'a*b*c': p('a<em>b</em>c'),
    'int *p = (int *)q': p('int *p = (int *)q'),
    '* a*': '<ul>\n<li>a*</li>\n</ul>',
    '**a\nb**': p('**a<br>\nb**'),
    '*a\nb*': p('*a<br>\nb*'),
    '*a*\n*b*': p('<em>a</em><br>\n<em>b</em>'),
    '**a *b* c**': p('<strong>a <em>b</em> c</strong>'),
    '*[a](https://example.com)*': p('<em><a href="https://example.com">a</a></em>'),
    '*<i>a</i>*': p('<em>&lt;i&gt;a&lt;/i&gt;</em>'),
    '[*a\nb*](https://example.com)': p('<a href="https://example.com">*a<br>\nb*</a>'),
  })
})

t.test('[MD57] underscores do not emphasize', async (t) => {
  checkCases(t, {
    _so_: p('_so_'),
    __so__: p('__so__'),
    '*_a_*': p('<em>_a_</em>'),
    snake_case_name: p('snake_case_name'),
  })
})

t.test('[MD58] two tildes strike out within one line', async (t) => {
  checkCases(t, {
    '~~a~~': p('<del>a</del>'),
    'not ~~ this one ~~ but that': p('not <del> this one </del> but that'),
    '~~**a** b~~': p('<del><strong>a</strong> b</del>'),
    '**~~a~~**': p('<strong><del>a</del></strong>'),
    '~~http://a.example.com/~~': p('<del><a href="http://a.example.com/">http://a.example.com/</a></del>'),
    '~~http://a.example.com~~/b': p('<del><a href="http://a.example.com">http://a.example.com</a></del>/b'),
    '~a~': p('~a~'),
    '~~a\nb~~': p('~~a<br>\nb~~'),
    '~~': p('~~'),
    'a ~~~b~~~': p('a ~~~b~~~'),
  })
})

t.test('[MD59] a line break is kept, and an empty line separates paragraphs', async (t) => {
  checkCases(t, {
    'a\nb': p('a<br>\nb'),
    'a\n\nb': `${p('a')}\n${p('b')}`,
    'a\r\nb': p('a<br>\nb'),
    'a\n\n\n\nb': `${p('a')}\n${p('b')}`,
    '': '',
    '  a  ': p('a'),
  })
})

t.test('[MD60] raw HTML is text', async (t) => {
  checkCases(t, {
    '<b>a</b>': p('&lt;b&gt;a&lt;/b&gt;'),
    '<script>alert(1)</script>': p('&lt;script&gt;alert(1)&lt;/script&gt;'),
    '<!-- a -->': p('&lt;!-- a --&gt;'),
    '<div>\n*a*\n</div>': p('&lt;div&gt;<br>\n<em>a</em><br>\n&lt;/div&gt;'),
    '&amp; &lt; & &amp;amp;': p('&amp; &lt; &amp; &amp;amp;'),
    '&copy;': p('©'),
  })
})

t.test('[MD61] a backslash is a backslash', async (t) => {
  checkCases(t, {
    'C:\\dir\\_x': p('C:\\dir\\_x'),
    'a\\': p('a\\'),
    '\\*a*': p('\\<em>a</em>'),
    '\\\\server\\share': p('\\\\server\\share'),
  })
})

t.test('[MD62] a time is rendered as machine-readable', async (t) => {
  const time = (datetime: string, text: string) => p(`<time datetime="${datetime}">${text}</time>`)
  checkCases(t, {
    '<time:2026-03-01T12:00:00Z>': time('2026-03-01T12:00:00Z', '2026-03-01T12:00:00Z'),
    '<time:2026-03-01T12:00+02:00>': time('2026-03-01T10:00:00Z', '2026-03-01T12:00+02:00'),
    '<time:2026-03-01T12:00:30.5-0530>': time('2026-03-01T17:30:30Z', '2026-03-01T12:00:30.5-0530'),
    '<time:2026-03-01 12:00>': time('2026-03-01T12:00:00Z', '2026-03-01 12:00'),
    '<time:2026-03-01>': time('2026-03-01T00:00:00Z', '2026-03-01'),
    '<time:1772366400>': time('2026-03-01T12:00:00Z', '1772366400'),
    '<time:Mar 3rd 2026, 9:15AM>': time('2026-03-03T09:15:00Z', 'Mar 3rd 2026, 9:15AM'),
    '<time:4 Jul 2025>': time('2025-07-04T00:00:00Z', '4 Jul 2025'),
    '**<time:4 Jul 2025>**': p('<strong><time datetime="2025-07-04T00:00:00Z">4 Jul 2025</time></strong>'),
  })
})

t.test('[MD63] an invalid time is rendered as an error', async (t) => {
  const errorOf = (text: string) => `<span class="timestamp-error">Invalid time format: ${text}</span>`
  const error = (text: string) => p(errorOf(text))
  const unreadable = [
    'hello',
    'hello 1',
    'hello 4 Jul 2025',
    '4 Jul 2025 hello',
    '2026-02-30',
    'Feb 30 2026',
    '2026-03-01T25:00',
    '2026-03-01T12:00+32:00',
    '2026-03-01T12:00-24:00',
    '2026-03-01T12:00+05:75',
    'Mar 1 2026 12:00 +32:00',
    '',
    '99999999999999',
    'tomorrow',
    'in 2 days',
    '5 June',
    '1 Jan 2026 - 3 Jan 2026',
    '06/2017',
    '2026-3-1T12:00+32:00',
    `Monday, June 5, 2017 10:30:45.${'1'.repeat(50)} PM`,
    '4 Jul 2025 '.repeat(1_000),
  ]
  for (const text of unreadable) t.equal(html(`<time:${text}>`), error(text), text)
  checkCases(t, {
    '<time:a&"b>': error('a&amp;&quot;b'),
    '<time:<alert(1)>>': p(`${errorOf('&lt;alert(1)')}&gt;`),
    '<time:<time:1>': p(errorOf('&lt;time:1')),
    '<time:4 Jul\n2025>': p('&lt;time:4 Jul<br>\n2025&gt;'),
    '<time:2026': p('&lt;time:2026'),
    '~~<time:~~2026>': p('<del>&lt;time:</del>2026&gt;'),
    '`<time:4 Jul 2025>`': p('<code>&lt;time:4 Jul 2025&gt;</code>'),
  })
})

t.test('[MD96] times are read in common forms, with time zones', async (t) => {
  const times: Record<string, string> = {
    '4 Jul 2025': '2025-07-04T00:00:00Z',
    'Jun 5th 2017, 10:30PM': '2017-06-05T22:30:00Z',
    'June 5, 2017 10:30 PM EST': '2017-06-06T03:30:00Z',
    'Monday, June 5, 2017 10:30 pm PDT': '2017-06-06T05:30:00Z',
    '10 PM EST, June 5, 2017': '2017-06-06T03:00:00Z',
    'Jul 4 2025 5:00 p.m. ET': '2025-07-04T21:00:00Z',
    'Jan 4 2025 5:00 p.m. ET': '2025-01-04T22:00:00Z',
    'Tue, 3 Mar 2026 09:15:00 +0100': '2026-03-03T08:15:00Z',
    'Sat Mar 14 2026 10:00 AM UTC+2': '2026-03-14T08:00:00Z',
    'Fri Feb 12 2021 10:00:00 GMT-0800 (PST)': '2021-02-12T18:00:00Z',
    'Thu May 5 10:00:00 UTC 2016': '2016-05-05T10:00:00Z',
    '2026-03-01 12:00 IST': '2026-03-01T06:30:00Z',
    '2017-06-05 10:30 PM': '2017-06-05T22:30:00Z',
    '2017/06/05 10:30': '2017-06-05T10:30:00Z',
    '06/05/2017 10:30 PM PST': '2017-06-06T06:30:00Z',
    '2026-3-1 9:05': '2026-03-01T09:05:00Z',
  }
  for (const [text, datetime] of Object.entries(times)) {
    t.equal(html(`<time:${text}>`), p(`<time datetime="${datetime}">${text}</time>`), text)
  }
})
