import t from 'tap'
import { checkCases, html, p } from './sample.ts'

const quote = (...inner: string[]) => `<blockquote>\n${inner.join('\n')}\n</blockquote>`
const code = (inner: string) => `<div class="codehilite"><pre><span></span><code>${inner}</code></pre></div>`
const spoiler = (header: string, content: string) =>
  `<div class="spoiler-block"><div class="spoiler-header">\n${header}</div>` +
  `<div class="spoiler-content" aria-hidden="true">\n${content}\n</div></div>`

t.test('[MD47] quotes are written with signs or a fence', async (t) => {
  checkCases(t, {
    '> a\n> b': quote(p('a<br>\nb')),
    '>a': quote(p('a')),
    '> a\nb': quote(p('a<br>\nb')),
    '> a\n\nb': `${quote(p('a'))}\n${p('b')}`,
    '> a\n\n> b': `${quote(p('a'))}\n${quote(p('b'))}`,
    '> > a': quote(quote(p('a'))),
    'x\n> a': `${p('x')}\n${quote(p('a'))}`,
    '```quote\na **b**\n\nc\n```': quote(p('a <strong>b</strong>'), p('c')),
    '~~~ quote\na\n~~~\nb': `${quote(p('a'))}\n${p('b')}`,
    '```quote\n# a\n* b\n```': quote('<h1>a</h1>', '<ul>\n<li>b</li>\n</ul>'),
  })
})

t.test('[MD99] a quote lasts until the next empty line, and signs alone are text', async (t) => {
  checkCases(t, {
    '>': p('&gt;'),
    '>\n> ': p('&gt;<br>\n&gt;'),
    'a\n>': p('a<br>\n&gt;'),
    '>\n>\na': quote(p('a')),
    '>\n> a': quote(p('a')),
    'a\n>\nb': `${p('a')}\n${quote(p('b'))}`,
    '> a\n>\nb\nc': quote(p('a'), p('b<br>\nc')),
    '> a\n>\n\nb': `${quote(p('a'))}\n${p('b')}`,
    '> > a\n>\nb': quote(quote(p('a')), p('b')),
    '> >': quote(p('&gt;')),
    '>\n>\n\n> a': `${p('&gt;<br>\n&gt;')}\n${quote(p('a'))}`,
    '>\n* a': `${p('&gt;')}\n<ul>\n<li>a</li>\n</ul>`,
    '> a\n* b': `${quote(p('a'))}\n<ul>\n<li>b</li>\n</ul>`,
    '>\ta\n>\n>\tb': quote(p('a'), p('b')),
    '- > a\n> b': `<ul>\n<li>\n${quote(p('a'))}\n</li>\n</ul>\n${quote(p('b'))}`,
    '>\t\ta': quote(code('  a\n')),
    '> a\n* b\n\n\n\n> c\n\nd': `${quote(p('a'))}\n<ul>\n<li>b</li>\n</ul>\n${quote(p('c'))}\n${p('d')}`,
    '- > a\n  >\n  b\n- c': `<ul>\n<li>\n${quote(p('a'), p('b'))}\n</li>\n<li>c</li>\n</ul>`,
    '~~~quote\n>\n~~~': quote(p('&gt;')),
  })
})

t.test('[MD48] a fenced quote can contain fenced blocks, even with the same fence', async (t) => {
  checkCases(t, {
    '```quote\na\n```py2x\nb\n```\nc\n```\nd': `${quote(
      p('a'),
      code('b\n').replace('codehilite"', 'codehilite" data-code-language="py2x"'),
      p('c'),
    )}\n${p('d')}`,
    '~~~quote\n```quote\na\n```\nb\n~~~': quote(quote(p('a')), p('b')),
    '```quote\na\n~~~\nb\n~~~\n```': quote(p('a'), code('b\n')),
    '```quote\n```spoiler x\na\n```\n```': quote(spoiler(`${p('x')}\n`, p('a'))),
    '```quote\na': quote(p('a')),
  })
})

t.test('[MD49] a spoiler has a header and hides its content', async (t) => {
  checkCases(t, {
    '```spoiler the end\nthey marry\n```\nshh': `${spoiler(`${p('the end')}\n`, p('they marry'))}\n${p('shh')}`,
    '```spoiler\nthey marry\n```': spoiler('', p('they marry')),
    '```spoiler a *b* <c>\n<d>\n```': spoiler(`${p('a <em>b</em> &lt;c&gt;')}\n`, p('&lt;d&gt;')),
    '```spoiler x\n* a\n```': spoiler(`${p('x')}\n`, '<ul>\n<li>a</li>\n</ul>'),
  })
})

t.test('[MD50] stars, pluses and dashes make one list', async (t) => {
  const list = '<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ul>'
  checkCases(t, {
    '* a\n* b\n* c': list,
    '- a\n- b\n- c': list,
    '+ a\n+ b\n+ c': list,
    '* a\n- b\n+ c': list,
    'x\n* a\n* b\n* c': `${p('x')}\n${list}`,
    '* a\n\n* b': '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>',
    '-a': p('-a'),
    '-': p('-'),
    '* a\nb': '<ul>\n<li>a<br>\nb</li>\n</ul>',
    '* a\n  b': '<ul>\n<li>a<br>\nb</li>\n</ul>',
    '* a\n\nb': `<ul>\n<li>a</li>\n</ul>\n${p('b')}`,
    '* a\n\n  b': '<ul>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n</ul>',
    '* **a** `b`': '<ul>\n<li><strong>a</strong> <code>b</code></li>\n</ul>',
  })
})

t.test('[MD51] lists nest by two spaces, whatever their markers', async (t) => {
  checkCases(t, {
    '* a\n  * b\n  * c': '<ul>\n<li>a\n<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n</li>\n</ul>',
    '* a\n    * b': '<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>',
    '* a\n * b': '<ul>\n<li>a</li>\n<li>b</li>\n</ul>',
    '1. p\n2. q\n  3. r': '<ol>\n<li>p</li>\n<li>q\n<ol start="3">\n<li>r</li>\n</ol>\n</li>\n</ol>',
    '1. a\n  * b\n2. c': '<ol>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ol>',
    '* a\n  1. b': '<ul>\n<li>a\n<ol>\n<li>b</li>\n</ol>\n</li>\n</ul>',
    '1. a\n  4. b\n    7. c\n    8. d\n  5. e\n2. f':
      '<ol>\n<li>a\n<ol start="4">\n<li>b\n<ol start="7">\n<li>c</li>\n<li>d</li>\n</ol>\n</li>\n<li>e</li>\n</ol>\n</li>\n<li>f</li>\n</ol>',
    '10. ten\n  * b': '<ol start="10">\n<li>ten\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ol>',
  })
})

t.test('[MD52] a numbered list starts with its first number', async (t) => {
  checkCases(t, {
    '1. a\n2. b': '<ol>\n<li>a</li>\n<li>b</li>\n</ol>',
    '1. a\n1. b': '<ol>\n<li>a</li>\n<li>b</li>\n</ol>',
    '3. a\n3. b': '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>',
    '9. a\n10. b': '<ol start="9">\n<li>a</li>\n<li>b</li>\n</ol>',
    '1) a': p('1) a'),
    'x\n1. a': `${p('x')}\n<ol>\n<li>a</li>\n</ol>`,
    'since\n1984. Or': p('since<br>\n1984. Or'),
    'since\n9. Or': `${p('since')}\n<ol start="9">\n<li>Or</li>\n</ol>`,
    'since\n10. Or': p('since<br>\n10. Or'),
    '1.': p('1.'),
  })
})

t.test('[MD53] headings need a space after their signs, and underlining makes none', async (t) => {
  checkCases(t, {
    '# a': '<h1>a</h1>',
    '#  a': '<h1>a</h1>',
    '###### a': '<h6>a</h6>',
    '####### a': p('####### a'),
    '#a': p('#a'),
    '##': p('##'),
    '## a *b*': '<h2>a <em>b</em></h2>',
    'a\n===': p('a<br>\n==='),
    'a\n---': `${p('a')}\n<hr>`,
    '---': '<hr>',
  })
})

t.test('[MD54] a table has a head, rows and alignments', async (t) => {
  checkCases(t, {
    'a | b\n--|--\nc | d':
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>c</td>\n<td>d</td>\n</tr>\n</tbody>\n</table>',
    '|a|b|c|\n|:-|:-:|-:|':
      '<table>\n<thead>\n<tr>\n<th style="text-align: left;">a</th>\n<th style="text-align: center;">b</th>\n<th style="text-align: right;">c</th>\n</tr>\n</thead>\n</table>',
    '|**a**|\n|-|\n|`b`|':
      '<table>\n<thead>\n<tr>\n<th><strong>a</strong></th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><code>b</code></td>\n</tr>\n</tbody>\n</table>',
  })
})

t.test('[MD55] content that is nested too deep stays as text', async (t) => {
  const deep = html(`${'>'.repeat(100)} deep`)
  t.equal(deep.split('<blockquote>').length, 41)
  t.match(deep, /&gt; deep<\/p>/)
  const list = html(`${'- '.repeat(100)}deep`)
  t.match(list, /- deep/)
  const open = (depth: number) => `\`\`\`quote\n`.repeat(depth)
  t.match(html(`${open(100)}deep`), /deep/)
})
