/** Messages in mails: HTML from a list of elements, and plain text. */

import t from 'tap'
import { ENGLISH } from '../../server/texts/texts.ts'
import { mailMarkup } from '../../workers/jobs/mail/mail-markup.ts'
import { renderMarkdown } from '../../workers/pool/render-markdown.ts'

const URL = 'https://chat.example'
const convert = (markdown: string) => mailMarkup(renderMarkdown(markdown), URL, ENGLISH)

t.test('[MARKUP1] text has the lines, quotes, lists and addresses of a message', async (t) => {
  const { text } = convert(
    'A **b** [c](/user_uploads/1/d) https://e.example :smile:\nline\n\n> q\n> > r\n\n* one\n* two\n\n```\nx\n\n  y\n```\n\n$$z^2 < 3$$',
  )
  t.equal(
    text,
    [
      'A b c (https://chat.example/user_uploads/1/d) https://e.example 🙂',
      'line',
      '',
      '> q',
      '> ',
      '> > r',
      '',
      '- one',
      '- two',
      '',
      'x',
      '',
      '  y',
      '',
      'z^2 < 3',
    ].join('\n'),
  )
})

t.test('[MARKUP4] text of quotes and lists reads as people write it', async (t) => {
  const table: readonly (readonly [markdown: string, lines: readonly string[]])[] = [
    ['> one\n>\n> two\n\nanswer\n\nmore', ['> one', '> ', '> two', '', 'answer', '', 'more']],
    ['7. a\n8. b\n\n   more of b\n9. c', ['7. a', '8. b', '', 'more of b', '9. c']],
    ['* a\n  * b\n    1. c\n* d\n\nend', ['- a', '  - b', '    1. c', '- d', '', 'end']],
    ['* > a\n  > b\n* c\n\nend', ['- > a', '> b', '- c', '', 'end']],
    ['> 1. > a\n> 2. b', ['> 1. > a', '> 2. b']],
    ['* ---\n* b\n* ---\n\nend', ['-', '- b', '-', '', 'end']],
    ['# Head\ntext', ['Head', '', 'text']],
    ['| S | pH |\n|--|--|\n| 4 | 8 |', ['S   pH', '4   8']],
    ['```quote\nsaid\n```\nyes', ['> said', '', 'yes']],
    ['```\ncode\n\n\n\nend\n```', ['code', '', 'end']],
  ]
  for (const [markdown, lines] of table) t.equal(convert(markdown).text, lines.join('\n'), markdown)
})

t.test('[MARKUP2] a spoiler shows its head alone, and no picture is loaded', async (t) => {
  const { html, text } = mailMarkup(
    `${renderMarkdown('```spoiler head\nhidden\n```')}<div class="message_inline_image"><a href="/a"><img src="/a.png"></a></div><p>after <img alt=":own:" class="emoji" src="/own.png"></p>`,
    URL,
    ENGLISH,
  )
  for (const one of [html, text]) {
    t.notMatch(one, /hidden<|hidden$|\nhidden/m)
    t.match(one, 'head')
    t.match(one, 'after :own:')
  }
  t.notMatch(html, '<img')
})

t.test('[MARKUP3] elements, attributes and addresses that mails do not have become text', async (t) => {
  const { html, text } = mailMarkup(
    '<p onclick="a()">1 &lt;b&gt; <a href="javascript:x()">two</a> <a title="a > b" href="//evil.example">three</a> <a href="#narrow/dm/3">four</a><script>five</script><iframe src="/x">six</iframe></p>',
    URL,
    ENGLISH,
  )
  t.equal(
    html,
    '<p style="margin:0 0 6px">1 &lt;b&gt; two three <a class="link" style="color:#0b6b65" href="https://chat.example/#narrow/dm/3">four</a>fivesix</p>',
  )
  t.equal(text, '1 <b> two three fourfivesix')
  for (const odd of [
    '<',
    '<p',
    '</p></p>',
    '<p><em>open',
    'a < b',
    '<p title="open>',
    '&#0; &#x110000; &bad;',
  ])
    t.type(mailMarkup(odd, URL, ENGLISH).html, 'string', odd)
})
