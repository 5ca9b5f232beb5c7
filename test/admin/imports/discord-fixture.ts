/** A small export of DiscordChatExporter, in the shapes that real ones show. */

import type { ZipFile } from '../../harness/files/write-zip.ts'

const ANN = {
  id: '101',
  name: 'ann',
  nickname: 'Ann L.',
  isBot: false,
  avatarUrl: 'general.json_Files/face%20a.png',
}
const BEN = { id: '102', name: 'ben', nickname: 'Ben', isBot: false, avatarUrl: '' }
const ROBO = { id: '103', name: 'Robo', nickname: 'Robo', isBot: true }
const GUILD = { id: '1', name: 'The Guild' }

let lastId = 1_000
export const said = (author: object, minute: number, content: string, more: object = {}) => ({
  id: String(++lastId),
  type: 'Default',
  timestamp: new Date(Date.UTC(2022, 2, 3, 10, minute)).toISOString(),
  timestampEdited: null,
  isPinned: false,
  content,
  author,
  attachments: [],
  embeds: [],
  stickers: [],
  reactions: [],
  mentions: [],
  ...more,
})
const emoji = (name: string, code: string, id = '') => ({
  id,
  name,
  code,
  isAnimated: false,
  imageUrl: `general.json_Files/${code}.png`,
})
export const channelFile = (name: string, channel: object, messages: readonly object[]): ZipFile => ({
  name,
  content: JSON.stringify(
    {
      guild: GUILD,
      channel,
      dateRange: { after: null, before: null },
      messages,
      messageCount: messages.length,
    },
    null,
    2,
  ),
})
export const GENERAL = {
  id: '11',
  type: 'GuildTextChat',
  categoryId: '10',
  category: 'Text',
  name: 'general',
  topic: 'All of it',
}

/** The files of a zip; the picture is a custom emoji and the face of a person. */
export const discordFiles = (picture: Buffer): readonly ZipFile[] => [
  channelFile('general.json', GENERAL, [
    said(ANN, 0, 'Hi @Ben and <@!103>, see <#12>, __under__ and **bold**, at <t:1646301600:R> `<@102>`', {
      mentions: [BEN],
      isPinned: true,
      timestampEdited: '2022-03-03T11:00:00+00:00',
      reactions: [
        { emoji: emoji('👍🏽', 'thumbsup_tone3'), count: 1, users: [BEN] },
        { emoji: emoji('Zap', 'Zap', '900'), count: 2, users: [ANN, BEN] },
        { emoji: emoji('❤️', 'heart'), count: 4 },
      ],
    }),
    said(BEN, 4, 'with files <:Zap:900>', {
      attachments: [
        { id: '1', url: 'general.json_Files/the%20plan.txt', fileName: 'the plan.txt' },
        {
          id: '2',
          url: 'https://cdn.discordapp.com/attachments/1/2/big.zip?ex=1&hm=secret',
          fileName: 'big.zip',
        },
        { id: '3', url: '../../outside.txt', fileName: 'outside.txt' },
      ],
    }),
    said(ROBO, 5, '', {
      embeds: [{ title: 'Build', url: 'https://ci.example.org/7', description: 'passed', fields: [] }],
    }),
    said(ANN, 6, 'joined', { type: 'GuildMemberJoin' }),
    said(ANN, 7, 'never', { timestamp: 'soon' }),
    said(ANN, 8, '   '),
    said(ANN, 9, 'y'.repeat(10_001)),
  ]),
  channelFile('general [part 2].json', GENERAL, [said(ANN, 20, 'in the second part')]),
  channelFile('rules.json', { id: '12', type: 'GuildTextChat', name: 'rules <b>', topic: null }, [
    said(BEN, 1, 'be kind @everyone'),
  ]),
  channelFile(
    'thread.json',
    { id: '21', type: 'GuildPublicThread', categoryId: '11', category: 'general', name: 'Where to eat' },
    [said(BEN, 2, 'Pizza?'), said(ANN, 3, 'Yes', { type: 'Reply', reference: { messageId: '1' } })],
  ),
  channelFile('direct.json', { id: '31', type: 'DirectTextChat', name: 'Ben' }, [said(ANN, 30, 'only me')]),
  { name: 'general.json_Files/the plan.txt', content: 'the plan' },
  { name: 'general.json_Files/Zap.png', content: picture },
  { name: 'general.json_Files/face a.png', content: picture },
  { name: 'other.json', content: '[1, {"a": 2}]' },
  {
    name: 'broken.json',
    content: `{"guild":{},"channel":{"id":"41","type":"GuildTextChat","name":"broken"},"messages":[{"a":oops},${JSON.stringify(said(ANN, 40, 'behind a broken one'))},{"id":`,
  },
]
