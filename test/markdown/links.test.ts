import t from 'tap'
import { renderMarkdown } from '../../workers/pool/markdown/render-markdown.ts'
import { checkCases, html, p, SAMPLE } from './sample.ts'

const link = (href: string, text = href) => `<a href="${href}">${text}</a>`

t.test('[MD24] an address of the web is a link; where it has no scheme, one is added', async (t) => {
  checkCases(t, {
    'https://example.com': p(link('https://example.com')),
    'http://example.com/a?b=c&d#e': p(link('http://example.com/a?b=c&amp;d#e')),
    'ftp://example.com/x': p(link('ftp://example.com/x')),
    'see example.com.': p(`see ${link('http://example.com', 'example.com')}.`),
    '(https://example.com/a)': p(`(${link('https://example.com/a')})`),
    'https://example.com/a_(b)': p(link('https://example.com/a_(b)')),
    'www.example.com/a': p(link('http://www.example.com/a', 'www.example.com/a')),
    'https://example.com, and': p(`${link('https://example.com')}, and`),
    'https://example.com/%20a': p(link('https://example.com/%20a')),
    'https://example.com/ä': p(link('https://example.com/%C3%A4', 'https://example.com/ä')),
    'https://example.com:8080/a': p(link('https://example.com:8080/a')),
    'docs.example.dev': p(link('http://docs.example.dev', 'docs.example.dev')),
    '**https://example.com**': p(`<strong>${link('https://example.com')}</strong>`),
    '~~at http://example.com now~~': p(`<del>at ${link('http://example.com')} now</del>`),
    'http://localhost:9991/x': p(link('http://localhost:9991/x')),
    '<https://example.com>': p(`&lt;${link('https://example.com')}&gt;`),
  })
})

t.test('[MD25] an address of mail is a link', async (t) => {
  checkCases(t, {
    'ada@example.com': p(link('mailto:ada@example.com', 'ada@example.com')),
    'mailto:ada@example.com': p(link('mailto:ada@example.com')),
    '[write](ada@example.com)': p(link('mailto:ada@example.com', 'write')),
  })
})

t.test('[MD26] names of files and other words with dots are no links', async (t) => {
  for (const text of ['main.py', 'README.md', 'e.g.', '1.2.3', 'a.b.c()', 'node.js', 'and...so', '10.30']) {
    t.equal(html(text), p(text), text)
  }
})

t.test('[MD27] a link has a text, or shows its address', async (t) => {
  checkCases(t, {
    '[here](https://example.com)': p(link('https://example.com', 'here')),
    '[**here** *too*](https://example.com)': p(
      link('https://example.com', '<strong>here</strong> <em>too</em>'),
    ),
    '[](https://example.com)': p(link('https://example.com')),
    '[  ](https://example.com)': p(link('https://example.com')),
    '[here](example.com/a)': p(link('http://example.com/a', 'here')),
    '[here](//example.com/a)': p(link('http://example.com/a', 'here')),
    '[here](/help)': p(link('/help', 'here')),
    '[here](#narrow/is/starred)': p(link('#narrow/is/starred', 'here')),
    '[here](https://example.com "why")': p('<a href="https://example.com" title="why">here</a>'),
    '[a <b> "c"](https://example.com)': p(link('https://example.com', 'a &lt;b&gt; &quot;c&quot;')),
    '[here](localhost:9991/x)': p(link('http://localhost:9991/x', 'here')),
    '[call](tel:+123)': p(link('tel:+123', 'call')),
  })
})

t.test('[MD28] what leads to other schemes is no link', async (t) => {
  checkCases(t, {
    '[x](javascript:alert(1))': p('[x](javascript:alert(1))'),
    '[x](JaVaScRiPt:alert(1))': p('[x](JaVaScRiPt:alert(1))'),
    '[x](data:text/html,y)': p('[x](data:text/html,y)'),
    '[x](vbscript:y)': p('[x](vbscript:y)'),
    '[x](file:///etc/passwd)': p('[x](file:///etc/passwd)'),
    '<javascript:alert(1)>': p('&lt;javascript:alert(1)&gt;'),
    '[x](java&#10;script:y)': p('[x](java\nscript:y)'),
  })
})

t.test('[MD29] there are no references', async (t) => {
  checkCases(t, {
    'see [there]\n\n[there]: https://example.com': `${p('see [there]')}\n${p(`[there]: ${link('https://example.com')}`)}`,
    '[a][b]': p('[a][b]'),
  })
})

t.test('[MD30] a link into the organization becomes relative', async (t) => {
  checkCases(t, {
    '[inside](https://chat.example.com/#narrow/channel/1-x)': p(link('#narrow/channel/1-x', 'inside')),
    'https://chat.example.com/#narrow/channel/1-x': p(
      link('#narrow/channel/1-x', 'https://chat.example.com/#narrow/channel/1-x'),
    ),
    '[f](https://chat.example.com/user_uploads/1/ab/plan.pdf)': p(link('/user_uploads/1/ab/plan.pdf', 'f')),
    '[f](https://chat.example.com/help)': p(link('https://chat.example.com/help', 'f')),
    '[f](https://chat.example.com.evil.com/#narrow)': p(
      link('https://chat.example.com.evil.com/#narrow', 'f'),
    ),
  })
})

t.test('[MD31] the server is told of links and attachments', async (t) => {
  t.match(renderMarkdown('https://example.com', SAMPLE), {
    hasLink: true,
    hasAttachment: false,
    hasImage: false,
  })
  t.match(renderMarkdown('#12', SAMPLE), { hasLink: true })
  t.match(renderMarkdown('`https://example.com`', SAMPLE), { hasLink: false })
  t.match(
    renderMarkdown('[a](/user_uploads/1/x/y.pdf) https://chat.example.com/user_uploads/1/x/z', SAMPLE),
    {
      hasAttachment: true,
      attachmentPaths: ['/user_uploads/1/x/y.pdf', '/user_uploads/1/x/z'],
    },
  )
})
