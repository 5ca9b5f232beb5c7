/** A small export of Zulip, in the shapes of its tables, as a tar. */

const SECONDS = 1_690_000_000
const person = (id: number, name: string, more: object = {}) => ({
  id,
  realm: 2,
  full_name: name,
  email: `user${id}@zulip.example.org`,
  delivery_email: `p${id}@example.org`,
  is_active: true,
  is_bot: false,
  role: 400,
  timezone: 'Europe/Paris',
  ...more,
})
const channel = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  description: '',
  date_created: 1_600_000_000.5,
  invite_only: false,
  history_public_to_subscribers: true,
  deactivated: false,
  ...more,
})
const sent = (id: number, sender: number, recipient: number, content: string) => ({
  id,
  sender,
  recipient,
  realm: 2,
  subject: '',
  content,
  date_sent: SECONDS + id + 0.25,
  last_edit_time: null,
  edit_history: null,
})
const joined = (recipient: number, ...users: readonly number[]) =>
  users.map((user_profile, index) => ({
    id: recipient * 10 + index,
    recipient,
    user_profile,
    active: user_profile !== 99,
  }))
const CUSTOM = { reaction_type: 'realm_emoji' }
const PARTY = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }

/** The time of a message. */
export const timeOf = (id: number) => SECONDS + id

/** The files by their names; `picture` is a custom emoji, and the face of one person. */
export const zulipFiles = (picture: Buffer): Readonly<Record<string, string | Buffer>> => {
  const realm = {
    zerver_realm: [{ id: 2, string_id: 'crew', uuid: 'aa11', name: 'Crew' }],
    zerver_userprofile: [
      person(11, 'Uma'),
      person(12, 'Vic', { role: 600 }),
      person(13, 'Old bot', { is_bot: true, is_active: false }),
      person(14, 'Never here', { is_active: false, is_mirror_dummy: true }),
      { full_name: 'nobody' },
    ],
    zerver_userprofile_crossrealm: [
      person(3, 'Welcome Bot', { is_bot: true, is_active: true, delivery_email: 'welcome-bot@zulip.com' }),
    ],
    zerver_stream: [
      channel(21, 'garden', { description: 'See #**shed**', creator: 11 }),
      channel(22, 'shed', { invite_only: true, history_public_to_subscribers: false }),
      channel(23, 'ruin', { deactivated: true }),
    ],
    zerver_recipient: [
      { id: 31, type: 2, type_id: 21 },
      { id: 32, type: 2, type_id: 22 },
      { id: 33, type: 1, type_id: 12 },
      { id: 34, type: 3, type_id: 41 },
      { id: 35, type: 2, type_id: 23 },
    ],
    zerver_huddle: [{ id: 41 }],
    zerver_subscription: [...joined(31, 11, 12, 99), ...joined(32, 11), ...joined(34, 11, 12, 14)],
    zerver_realmemoji: [
      { id: 51, name: 'seed', author: 11, realm: 2, file_name: '51.png', deactivated: false },
      { id: 52, name: 'weed', author: 11, realm: 2, file_name: '52.png', deactivated: true },
    ],
    zerver_reaction: [
      { message: 102, user_profile: 12, emoji_name: 'seed', emoji_code: '51', ...CUSTOM },
      { message: 101, user_profile: 12, ...PARTY },
      { message: 102, user_profile: 11, emoji_name: 'seed', emoji_code: '51', ...CUSTOM },
      { message: 102, user_profile: 11, emoji_name: 'nosuch', emoji_code: '99', ...CUSTOM },
    ],
  }
  const first = [
    {
      ...sent(
        101,
        11,
        31,
        '@**Vic|12** see #**garden>plans** and [plan](/user_uploads/2/ab/XyZ_1/plan.txt) `@**Vic|12**`',
      ),
      subject: 'plans',
    },
    {
      ...sent(102, 12, 31, 'edited'),
      last_edit_time: timeOf(110) + 0.5,
      edit_history: JSON.stringify([
        { user_id: 12, timestamp: timeOf(110), prev_content: 'before' },
        { user_id: 12, timestamp: timeOf(105), prev_topic: 'x' },
      ]),
    },
    sent(103, 11, 33, 'just us'),
  ]
  const second = [
    sent(104, 11, 34, 'all three'),
    { ...sent(105, 11, 32, 'y'.repeat(10_001)), subject: 'long' },
    sent(106, 11, 35, 'in ruins'),
    { ...sent(107, 11, 31, 'no time'), date_sent: 'x' },
    sent(108, 11, 77, 'to nobody'),
    { ...sent(109, 3, 33, 'welcome'), subject: 'ignored' },
  ]
  const files = {
    'realm.json': JSON.stringify(realm),
    'messages-000002.json': JSON.stringify({ zerver_message: second, zerver_usermessage: [] }),
    'messages-000001.json': JSON.stringify({
      zerver_usermessage: [{ id: 1, message: 101, user_profile: 11, flags_mask: 1 }],
      zerver_message: first,
    }),
    'attachment.json': JSON.stringify({
      zerver_attachment: [
        { id: 61, file_name: 'plan.txt', path_id: '2/ab/XyZ_1/plan.txt', owner: 11, messages: [101] },
        { id: 62, file_name: 'lost.txt', path_id: '2/ab/Gone/lost.txt', owner: 11, messages: [101] },
        { id: 63, file_name: 'x', path_id: '../../../etc/passwd', owner: 11, messages: [101] },
      ],
    }),
    'uploads/2/ab/XyZ_1/plan.txt': 'the plan',
    'emoji/2/emoji/images/51.png': picture,
    'avatars/records.json': JSON.stringify([
      { user_profile_id: 11, path: '2/face.png' },
      { user_profile_id: 11, path: '2/face.original' },
    ]),
    'avatars/2/face.original': picture,
  }
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [`zulip-export/${name}`, content]))
}
