import t from 'tap'
import { checkCases, html, p } from './sample.ts'

const code = (inner: string, language?: string) =>
  `<div class="codehilite"${language === undefined ? '' : ` data-code-language="${language}"`}>` +
  `<pre><span></span><code>${inner}</code></pre></div>`

t.test('[MD40] fenced and indented code becomes a block', async (t) => {
  checkCases(t, {
    '```\nx = 1\n```': code('x = 1\n'),
    '~~~\nx = 1\n~~~': code('x = 1\n'),
    '~~~~\n~~~\n~~~~': code('~~~\n'),
    'before\n```\nx\n```\nafter': `${p('before')}\n${code('x\n')}\n${p('after')}`,
    '    let x = 1': code('let x = 1\n'),
    '  not code': p('not code'),
    '```\nhangs': code('hangs\n'),
    '```\n```': code(''),
    '```\n\na\n\nb\n\n\n```': code('a\n\nb\n'),
    '```\n<b>&amp;</b>\n```': code('&lt;b&gt;&amp;amp;&lt;/b&gt;\n'),
    '```\n* a\n# b\n> c\n```': code('* a\n# b\n&gt; c\n'),
    '- a\n  ```\n  x\n    y\n  ```': `<ul>\n<li>a${code('x\n  y\n')}\n</li>\n</ul>`,
  })
})

t.test('[MD97] only the exact fence closes a block', async (t) => {
  const quote = (inner: string) => `<blockquote>\n${inner}\n</blockquote>`
  checkCases(t, {
    '```\nx\n`````': code('x\n`````\n'),
    '````\n```\nx\n```\n````': code('```\nx\n```\n'),
    '~~~~\n~~~\nx\n~~~~~\n~~~~\ny': `${code('~~~\nx\n~~~~~\n')}\n${p('y')}`,
    '```\n~~~\n```': code('~~~\n'),
    '```\nx\n``` \ny': `${code('x\n')}\n${p('y')}`,
    '```\nx\n```y\n```': code('x\n```y\n'),
    '```quote\n````\n```\nx\n````\ny\n```\nz': `${quote(`${code('```\nx\n')}\n${p('y')}`)}\n${p('z')}`,
    '````quote\n```quote\nx\n```\ny\n````\nz': `${quote(`${quote(p('x'))}\n${p('y')}`)}\n${p('z')}`,
    '```quote\nx\n````\ny\n```\n````\n```\nz': `${quote(`${p('x')}\n${code('y\n```\n')}`)}\n${p('z')}`,
    '> ````\n> ```\n> x\n> ````\ny': `${quote(code('```\nx\n'))}\n${p('y')}`,
  })
})

t.test('[MD98] trailing white space in lines of code is removed', async (t) => {
  checkCases(t, {
    '```\nx   \n\ty \u00a0\n  \n z\n```': code('x\n\ty\n\n z\n'),
    '```py\nx  \n```': code('x\n', 'Python'),
    '    x  \n    y\t': code('x\ny\n'),
    '```\n \n```': code(''),
  })
})

t.test('[MD41] a language has its name for clients; an unknown one keeps its own', async (t) => {
  checkCases(t, {
    '```text\nx\n```': code('x\n', 'Text only'),
    '``` nosuchlanguage\nx\n```': code('x\n', 'nosuchlanguage'),
    '```a<b>"c\nx\n```': code('x\n', 'a&lt;b&gt;&quot;c'),
    '~~~.ruby \nx\n~~~': code('x\n', 'Ruby'),
    '```{.python}\nx\n```': code('x\n', 'Python'),
    '```PY\nx\n```': code('x\n', 'Python'),
    '```c++\nx\n```': code('x\n', 'C++'),
    '```latex\nx\n```': code('x\n', 'TeX'),
    '```PY2\nx\n```': code('x\n', 'Python 2.x'),
    '```py2\nx\n```': code('x\n', 'Python 2.x'),
    '```python3\nx\n```': code('x\n', 'Python'),
    '```Python3.14\nx\n```': code('x\n', 'Python'),
    '```css+php\nx\n```': code('<span class="na">x</span>\n', 'CSS+PHP'),
    '```html+nosuch\nx\n```': code('x\n', 'HTML+nosuch'),
    '```c++17\nx\n```': code('x\n', 'C++'),
    '```toml\nx\n```': code('x\n', 'TOML'),
    '```nosuch+css2\nx\n```': code('x\n', 'nosuch+css2'),
    '```h264\nx\n```': code('x\n', 'h264'),
    '```constructor\nx\n```': code('x\n', 'constructor'),
    '```__proto__\nx\n```': code('x\n', '__proto__'),
  })
})

t.test('[MD42] code is highlighted with the classes that clients style', async (t) => {
  checkCases(t, {
    '```js\nlet a = "b" // c\n```': code(
      '<span class="k">let</span> a = <span class="s">&quot;b&quot;</span> <span class="c">// c</span>\n',
      'JavaScript',
    ),
    '```py\ndef f():\n    return 1\n```': code(
      '<span class="k">def</span> <span class="nf">f</span>():\n    <span class="k">return</span> <span class="m">1</span>\n',
      'Python',
    ),
    '```diff\n+a\n-b\n```': code('<span class="gi">+a</span>\n<span class="gd">-b</span>\n', 'Diff'),
  })
})

t.test('[MD43] code without a language has the default of the organization', async (t) => {
  const defaultCodeLanguage = 'py'
  t.equal(html('```\nx\n```', { defaultCodeLanguage }), code('x\n', 'Python'))
  t.equal(html('```js\nx\n```', { defaultCodeLanguage }), code('x\n', 'JavaScript'))
  t.equal(html('    x', { defaultCodeLanguage }), code('x\n'))
})

t.test('[MD44] long code and long lines are not highlighted', async (t) => {
  const highlighted = /<span class="m">/
  t.match(html(`\`\`\`js\n${'1\n'.repeat(100)}\`\`\``), highlighted)
  t.notMatch(html(`\`\`\`js\n${'1\n'.repeat(3_500)}\`\`\``), highlighted)
  t.notMatch(html(`\`\`\`js\n${'1 '.repeat(300)}\n\`\`\``), highlighted)
})

t.test('[MD45] inline code keeps all of its text', async (t) => {
  checkCases(t, {
    '`x`': p('<code>x</code>'),
    '``a`b``': p('<code>a`b</code>'),
    '```so short```': p('<code>so short</code>'),
    '`<&copy;>`': p('<code>&lt;&amp;copy;&gt;</code>'),
    '`**a** ~~b~~ $$c$$ @**all**`': p('<code>**a** ~~b~~ $$c$$ @**all**</code>'),
    '`a\\`b': p('<code>a\\</code>b'),
    'a ` b': p('a ` b'),
    '` a ` ``` b ```': p('<code> a </code> <code> b </code>'),
    '\\`a`': p('\\`a`'),
    '\\\\`a`': p('\\\\<code>a</code>'),
    '`a``b`': p('<code>a``b</code>'),
    '`a``': p('`a``'),
    '`a\nb`': p('<code>a\nb</code>'),
    '*a `b* c`': p('*a <code>b* c</code>'),
    '[`a](/b)`': p('[<code>a](/b)</code>'),
  })
})

t.test('[MD46] a fence followed by fence signs opens no block', async (t) => {
  checkCases(t, {
    '~~~~ a: b c~~~~': p('~~~~ a: b c~~~~'),
    '``` two words ```': p('<code> two words </code>'),
  })
})
