/** The parser's cheap tokens are those of the library. */

import MarkdownIt from 'markdown-it'
import t from 'tap'
import { CHAT_TEXTS } from '../../bench/load/chat-texts.ts'
import { plainTokens } from '../../workers/pool/markdown/plain-tokens.ts'

/** Texts with every rule of the library: nested, broken off, and empty. */
const TEXTS = [
  ...CHAT_TEXTS,
  '',
  '# a *b **c** d* ~~e~~ `f` [g *h*](i "j") ![k](l) <m@n.example> <https://o.example> p  \nq\\*',
  '*a **b* c** ~~d *e~~ f* [g](h *i* [j](k)](l) **',
  '> - a\n>   1. b\n>\n>      c\n\n***\n\n    d\n\n```e\nf\n```\n\n| a | b |\n|:-|-:|\n| *c* | `d` |',
  'a\n===\n\n[b]\n\n[b]: c "d"\n\n<div>e</div>',
  'see https://example.com/a*b*c and f@example.com',
  '*'.repeat(50) + 'a' + '*'.repeat(40),
  '[['.repeat(30) + 'a' + ']]'.repeat(30),
]

t.test('[PLAINTOKEN1] the tokens of a text have the properties and methods of those of the library', (t) => {
  const theirs = new MarkdownIt({ html: true, linkify: true, breaks: true })
  const ours = new MarkdownIt({ html: true, linkify: true, breaks: true })
  plainTokens(ours)
  for (const text of TEXTS) {
    t.same(ours.parse(text, {}), theirs.parse(text, {}), text)
    t.equal(ours.render(text), theirs.render(text), text)
  }
  const [token] = ours.parse('a', {})
  token?.attrSet('class', 'b')
  token?.attrJoin('class', 'c')
  t.equal(token?.attrGet('class'), 'b c')
  t.end()
})
