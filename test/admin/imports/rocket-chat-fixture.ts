/** A small dump of Rocket.Chat, in the shapes that its database has. */

const NOON = Date.UTC(2023, 5, 1, 12)
/** A time of the dump. */
export const at = (minute: number) => new Date(NOON + minute * 60_000)
const ANA = { _id: 'uAna', username: 'ana', name: 'Ana Lima' }
const BO = { _id: 'uBo', username: 'bo.k', name: 'Bo' }

let count = 0
const said = (rid: string, u: object, minute: number, more: object) => ({
  _id: `m${++count}`,
  rid,
  u,
  ts: at(minute),
  mentions: [],
  ...more,
})

/** The collections; `picture` is the face of Ana and a custom emoji. */
export const rocketChat = (picture: Buffer) => ({
  users: [
    {
      ...ANA,
      type: 'user',
      active: true,
      roles: ['user', 'admin'],
      emails: [{ address: 'ana@example.org', verified: true }],
    },
    { ...BO, type: 'user', active: false, roles: ['guest'], emails: [{ address: 'not an address' }] },
    {
      _id: 'rocket.cat',
      username: 'rocket.cat',
      name: 'Rocket.Cat',
      type: 'bot',
      active: true,
      roles: ['bot'],
    },
    { _id: 'app', username: 'poll.app', type: 'app', active: true },
  ],
  rocketchat_room: [
    { _id: 'GENERAL', t: 'c', name: 'general', topic: 'With #lab', ts: at(-99), u: ANA },
    { _id: 'rLab', t: 'p', name: 'x7Yz', fname: 'Lab discussion', prid: 'GENERAL', archived: true, u: BO },
    { _id: 'uAnauBo', t: 'd', uids: ['uAna', 'uBo'], usernames: ['ana', 'bo.k'] },
    { _id: 'rHelp', t: 'l', fname: 'A visitor' },
  ],
  rocketchat_subscription: [
    { _id: 's1', rid: 'GENERAL', u: ANA },
    { _id: 's2', rid: 'rLab', u: ANA },
    { _id: 's3', rid: 'GENERAL', u: { _id: 'nobody', username: 'nobody' } },
  ],
  // In no order, as a dump has them.
  rocketchat_message: [
    said('GENERAL', BO, 9, { msg: 'a reply', tmid: 'root', tshow: true }),
    said('GENERAL', ANA, 5, {
      msg: 'Where is the *plan* of @bo.k. in #general? _soon_ ~never~ `@bo.k` https://x.example.org/a_b_c',
      _id: 'root',
      tcount: 1,
      pinned: true,
      editedAt: at(6),
      editedBy: ANA,
      reactions: {
        ':wave_medium_dark_skin_tone:': { usernames: ['bo.k'] },
        ':parrot:': { usernames: ['ana', 'gone'] },
      },
    }),
    said('GENERAL', ANA, 1, {
      msg: '',
      files: [
        { _id: 'f1', name: 'the plan.txt', type: 'text/plain' },
        { _id: 'f1t', name: 'thumb-x.png' },
        { _id: 'f2', name: 'lost.txt' },
        { _id: 'f3', name: 'torn.txt' },
      ],
      attachments: [
        { type: 'file', title: 'the plan.txt', title_link: '/file-upload/f1/x', description: 'read this' },
      ],
    }),
    said('GENERAL', ANA, 12, {
      msg: '[ ](https://chat.example.org/channel/general?msg=root) I know',
      attachments: [
        {
          text: 'How so?\nHere?',
          author_name: 'bo.k',
          message_link: 'https://chat.example.org/channel/general?msg=root',
        },
      ],
    }),
    said('GENERAL', { _id: 'rocket.cat', username: 'rocket.cat' }, 13, {
      msg: 'built',
      alias: 'CI',
      bot: { i: '1' },
    }),
    said('GENERAL', ANA, 14, { msg: 'uj', t: 'uj' }),
    said('GENERAL', ANA, 15, { msg: 'secret', t: 'e2e' }),
    said('GENERAL', ANA, 16, { msg: 'older', _hidden: true }),
    said('GENERAL', ANA, 17, { msg: 'no time', ts: 'x' }),
    said('rLab', ANA, 20, { msg: '@all in private' }),
    said('uAnauBo', ANA, 30, { msg: 'the two of us' }),
    said('rHelp', ANA, 31, { msg: 'help' }),
  ],
  'rocketchat_uploads.chunks': [
    { _id: 'c2', files_id: 'f1', n: 1, data: Buffer.from('plan') },
    { _id: 'c3', files_id: 'f3', n: 1, data: Buffer.from('half') },
    { _id: 'c1', files_id: 'f1', n: 0, data: Buffer.from('the ') },
  ],
  rocketchat_custom_emoji: [{ _id: 'e1', name: 'parrot', aliases: ['polly'], extension: 'png' }],
  'custom_emoji.files': [{ _id: 'ef1', filename: 'parrot.png', length: picture.length }],
  'custom_emoji.chunks': [{ _id: 'ec1', files_id: 'ef1', n: 0, data: picture }],
  rocketchat_avatars: [{ _id: 'a1', name: 'ana', userId: 'uAna' }],
  'rocketchat_avatars.chunks': [{ _id: 'ac1', files_id: 'a1', n: 0, data: picture }],
  rocketchat_statistics: [{ _id: 'x', users: 7 }],
})
