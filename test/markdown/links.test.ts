import t from 'tap'
import { renderMarkdown } from '../../workers/pool/markdown/render-markdown.ts'
import { checkCases, emoji, html, p, SAMPLE } from './sample.ts'

const link = (href: string, text = href) => `<a href="${href}">${text}</a>`

t.test('[MD24] a web address is a link; a missing scheme is added', async (t) => {
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

t.test('[MD100] punctuation at the end of a sentence is not part of an address', async (t) => {
  const url = 'http://a.example.com/x'
  for (const end of [
    ':',
    ';',
    '!',
    '?',
    ',',
    '.',
    "'",
    '"',
    ')',
    '>',
    ']',
    '...',
    '?!',
    '.)',
    "').",
    '):',
    '*',
  ]) {
    const shown = end.replace('"', '&quot;').replace('>', '&gt;')
    for (const address of [
      url,
      'http://a.example.com',
      `${url}?q=1`,
      `${url}#y`,
      'HTTPS://a.example.com:80/',
    ]) {
      t.equal(html(`see ${address}${end} then`), p(`see ${link(address)}${shown} then`), address + end)
    }
    for (const address of ['www.example.com', 'example.com/x']) {
      const found = p(`see ${link(`http://${address}`, address)}${shown} then`)
      t.equal(html(`see ${address}${end} then`), found, address + end)
    }
  }
  for (const path of ['x:y', 'x!y', "x'y", 'x,y', 'x...y', '~x', 'x-', 'x_', '#!/x']) {
    t.equal(html(`http://a.example.com/${path} z`), p(`${link(`http://a.example.com/${path}`)} z`), path)
  }
})

t.test(
  '[MD101] an address can have a user, a port, brackets up to seven deep, and letters of all scripts',
  async (t) => {
    const nested = (depth: number) => `http://a.example.com/${'('.repeat(depth)}x${')'.repeat(depth)}`
    for (const url of [
      'http://user@host/f',
      'http://user:pass@example.com:8080/f?x@y',
      'http://user@example.com',
      'http://[::1]:9991/x',
      'http://foo_bar.example.com/',
      'http://a.example.com/a(b(c)d)e(f)',
      nested(1),
      nested(6),
      nested(7),
    ]) {
      t.equal(html(`${url}, (${url})`), p(`${link(url)}, (${link(url)})`), url)
    }
    checkCases(t, {
      [nested(8)]: p(nested(8)),
      'http://a.example.com/(x y': p(`${link('http://a.example.com/')}(x y`),
      'http://a.example.com/[x)': p(`${link('http://a.example.com/')}[x)`),
      'http://a.example.com:99999/': p('http://a.example.com:99999/'),
      'http://a.b@': p('http://a.b@'),
      'xhttp://a.example.com': p('xhttp://a.example.com'),
      '[see http://a.example.com/x](/y)': p(link('/y', 'see http://a.example.com/x')),
      'example.com/(((((b.org))))) c': p(
        `${link('http://example.com/(((((b.org)))))', 'example.com/(((((b.org)))))')} c`,
      ),
      'http://a.example.com/ #12 \u{1f916}': p(
        `${link('http://a.example.com/')} ${link('https://issues.example.com/12', '#12')} ${emoji('robot', '1f916')}`,
      ),
      'http://bücher.de:80/ä': p(link('http://xn--bcher-kva.de:80/%C3%A4', 'http://bücher.de:80/ä')),
      'http://例子.测试/路径。': p(
        `${link('http://xn--fsqu00a.xn--0zwm56d/%E8%B7%AF%E5%BE%84', 'http://例子.测试/路径')}。`,
      ),
      'http://➡.ws/\u{1f389}': p(link('http://xn--hgi.ws/%F0%9F%8E%89', 'http://➡.ws/\u{1f389}')),
      'example.com/(a.org)/b.net c': p(
        `${link('http://example.com/(a.org)/b.net', 'example.com/(a.org)/b.net')} c`,
      ),
    })
  },
)

t.test('[MD25] an email address is a link, unless it has a path or a port', async (t) => {
  checkCases(t, {
    'a@b.com/foo': p('a@b.com/foo'),
    'mailto:a@b.com/foo': p('mailto:a@b.com/foo'),
    'git@example.com:a/b': p('git@example.com:a/b'),
    'a@b.com?x #a@b.com#y a@b.com:25': p('a@b.com?x #a@b.com#y a@b.com:25'),
    'a@b.com: a@b.com? (a@b.com).': p(
      `${link('mailto:a@b.com', 'a@b.com')}: ${link('mailto:a@b.com', 'a@b.com')}? (${link('mailto:a@b.com', 'a@b.com')}).`,
    ),
    'ada@example.com': p(link('mailto:ada@example.com', 'ada@example.com')),
    'mailto:ada@example.com': p(link('mailto:ada@example.com')),
    '[write](ada@example.com)': p(link('mailto:ada@example.com', 'write')),
  })
})

t.test('[MD26] file names and other words with dots are not links', async (t) => {
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

t.test('[MD28] other schemes make no link', async (t) => {
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

t.test('[MD29] reference links are not supported', async (t) => {
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

t.test('[MD31] the renderer reports links and attachments', async (t) => {
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
