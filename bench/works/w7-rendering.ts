/** W7: the speed of rendering messages to HTML. */

import MarkdownIt from 'markdown-it'
import type { ChannelId, GroupId, MessageId, UserId } from '../../server/domain/ids.ts'
import { renderMarkdown } from '../../workers/pool/markdown/render-markdown.ts'
import { type MentionSnapshot, EMPTY_SNAPSHOT } from '../../workers/pool/markdown/snapshot.ts'
import { CHAT_TEXTS } from '../load/chat-texts.ts'
import { compareLatencies } from '../measure/figure.ts'
import { interleave } from '../measure/interleave.ts'
import type { Work } from '../measure/work.ts'
import { sized } from '../measure/sizes.ts'

/** Passes over all texts in one turn; each is one sample. */
const PASSES = sized(500, 5)

const SNAPSHOT: MentionSnapshot = {
  ...EMPTY_SNAPSHOT,
  users: [
    { id: 31 as UserId, name: 'Ada Lovelace' },
    { id: 32 as UserId, name: 'Grace Hopper' },
  ],
  groups: [{ id: 7 as GroupId, name: 'support', standing: 'mentionable' }],
  channels: [
    { id: 9 as ChannelId, name: 'announce' },
    { id: 10 as ChannelId, name: 'design' },
  ],
  topics: [{ channelId: 10 as ChannelId, topic: 'Release 1.0', newestMessageId: 4 as MessageId }],
  linkifiers: [
    { pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://issues.example.com/{id}' },
    { pattern: 'TKT-(?P<id>[0-9]+)', urlTemplate: 'https://tickets.example.com/{id}' },
  ],
  realmUrl: 'https://chat.example.com',
}

export const rendering: Work = {
  name: 'W7',
  title: `rendering ${CHAT_TEXTS.length} chat messages`,
  limit: 'bare markdown-it with linkify',
  async run({ rounds }) {
    const bare = new MarkdownIt({ html: false, linkify: true, breaks: true })
    checkAnswers()
    const found = await interleave(
      rounds,
      async () => time((text) => renderMarkdown(text, SNAPSHOT).html),
      async () => time((text) => bare.render(text)),
    )
    return [compareLatencies('all messages', found, { p50Max: 1.6 })]
  },
}

/** Milliseconds of each pass. */
function time(render: (text: string) => string): number[] {
  return Array.from({ length: PASSES }, () => {
    const startMs = performance.now()
    let length = 0
    for (const text of CHAT_TEXTS) length += render(text).length
    if (length === 0) throw new Error('nothing was rendered')
    return performance.now() - startMs
  })
}

/** Elements that an incomplete rendering would lack. */
function checkAnswers(): void {
  const html = CHAT_TEXTS.map((text) => renderMarkdown(text, SNAPSHOT).html).join('\n')
  const wanted = {
    'class="user-mention': 4,
    'class="user-group-mention"': 1,
    'class="stream"': 1,
    '/with/4"': 1,
    'class="emoji ': 5,
    'https://issues.example.com/': 3,
    'https://tickets.example.com/': 1,
    'class="codehilite"': 2,
    'data-code-language="Python"': 1,
    'class="nf"': 1,
    '<blockquote>': 2,
    '<time ': 1,
    '<table>': 1,
    'href="mailto:': 1,
  }
  for (const [mark, count] of Object.entries(wanted)) {
    const found = html.split(mark).length - 1
    if (found !== count) throw new Error(`${mark} stands ${found} times, not ${count}`)
  }
}
