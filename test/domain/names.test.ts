/** Names of channels and topics, and how lengths are counted. */

import t from 'tap'
import { findChannelNameProblem } from '../../server/domain/channels/channel-names.ts'
import { CHANNEL_NAME_LENGTH_MAX } from '../../server/domain/limits.ts'
import { countCodePoints } from '../../packages/rules/count-code-points.ts'
import { parseTopic } from '../../server/domain/messages/topics.ts'
import { topicDisplayName, topicKey } from '../../packages/rules/topics.ts'

t.test('[NAM1] a length counts code points, and an unpaired surrogate as one', async (t) => {
  const cases: [text: string, count: number][] = [
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 2],
    ['💬', 1],
    ['a💬b', 3],
    ['👩‍👩‍👧', 5],
    ['\ud83d', 1],
    ['\udcac', 1],
    ['\ud83d\ud83d\udcac', 2],
    ['\udcac\ud83d', 2],
  ]
  for (const [text, count] of cases) {
    t.equal(countCodePoints(text), count, JSON.stringify(text))
    t.equal(countCodePoints(text), Array.from(text).length)
  }
})

t.test('[NAM2] a channel name is neither empty nor too long, and has only visible characters', async (t) => {
  for (const name of [
    'design',
    'Ünïcödé 💬',
    '#1',
    "it's",
    'x'.repeat(CHANNEL_NAME_LENGTH_MAX),
    '💬'.repeat(60),
    '\u200d',
  ]) {
    t.equal(findChannelNameProblem(name), undefined, name)
  }
  t.same(findChannelNameProblem(''), { kind: 'empty' })
  t.same(findChannelNameProblem('x'.repeat(61)), { kind: 'too_long' })
  t.same(findChannelNameProblem('💬'.repeat(61)), { kind: 'too_long' })
  t.same(findChannelNameProblem('a\nb'), { kind: 'character', position: 2 })
  t.same(findChannelNameProblem('💬💬\u0007'), { kind: 'character', position: 3 })
  t.same(findChannelNameProblem('\ud83d'), { kind: 'character', position: 1 })
  t.same(findChannelNameProblem('ab\u0378'), { kind: 'character', position: 3 }, 'unassigned')
})

t.test(
  '[NAM3] both names of the empty topic mean the empty name, and clients see its display name',
  async (t) => {
    for (const text of ['', '  ', '(no topic)', ' (no topic) ', 'general chat'])
      t.equal(parseTopic(text), '', text)
    for (const text of ['General chat', '(No topic)', 'no topic', 'general  chat'])
      t.equal(parseTopic(text), text, text)
    t.equal(parseTopic('  plans '), 'plans')
    t.equal(topicDisplayName(''), 'general chat')
    t.equal(topicDisplayName('plans'), 'plans')
  },
)

t.test('[NAM4] two spellings of a topic are one topic', async (t) => {
  t.equal(topicKey('Plans'), topicKey('pLANS'))
  t.equal(topicKey('ÉTÉ'), topicKey('été'))
  t.not(topicKey('plans'), topicKey('plan'))
})
