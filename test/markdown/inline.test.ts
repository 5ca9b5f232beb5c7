import t from 'tap'
import { checkCases, p } from './sample.ts'

t.test('[MD56] stars emphasize, within one line', async (t) => {
  checkCases(t, {
    '*a*': p('<em>a</em>'),
    '**a**': p('<strong>a</strong>'),
    '***a***': p('<em><strong>a</strong></em>'),
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

t.test('[MD58] two tildes strike out, within one line', async (t) => {
  checkCases(t, {
    '~~a~~': p('<del>a</del>'),
    'not ~~ this one ~~ but that': p('not <del> this one </del> but that'),
    '~~**a** b~~': p('<del><strong>a</strong> b</del>'),
    '**~~a~~**': p('<strong><del>a</del></strong>'),
    '~a~': p('~a~'),
    '~~a\nb~~': p('~~a<br>\nb~~'),
    '~~': p('~~'),
    'a ~~~b~~~': p('a ~~~b~~~'),
  })
})

t.test('[MD59] a line break is one, an empty line parts paragraphs', async (t) => {
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

t.test('[MD62] a moment is told by a machine-readable time', async (t) => {
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

t.test('[MD63] what is no time stays text', async (t) => {
  checkCases(t, {
    '<time:hello>': p('&lt;time:hello&gt;'),
    '<time:hello 1>': p('&lt;time:hello 1&gt;'),
    '<time:2026-02-30>': p('&lt;time:2026-02-30&gt;'),
    '<time:2026-03-01T25:00>': p('&lt;time:2026-03-01T25:00&gt;'),
    '<time:>': p('&lt;time:&gt;'),
    '<time:99999999999999>': p('&lt;time:99999999999999&gt;'),
    '<time:<b>>': p('&lt;time:&lt;b&gt;&gt;'),
    '`<time:4 Jul 2025>`': p('<code>&lt;time:4 Jul 2025&gt;</code>'),
  })
})
