/** A small bulk export of Mattermost, in the shapes that its documentation and real exports show. */

const MORNING_MS = Date.parse('2024-05-06T08:00:00Z')
/** The time of a post, in milliseconds. */
export const atMs = (seconds: number) => MORNING_MS + seconds * 1000

const post = (user: string, seconds: number, message: string, more: object = {}) => ({
  type: 'post',
  post: { team: 'crew', channel: 'town-square', user, message, create_at: atMs(seconds), ...more },
})

/** The lines; some are broken, and posts are in no order. */
export const MATTERMOST = [
  { type: 'version', version: 1 },
  { type: 'role', role: { name: 'x' } },
  { type: 'team', team: { name: 'crew', display_name: 'Crew', type: 'O' } },
  {
    type: 'channel',
    channel: {
      team: 'crew',
      name: 'town-square',
      display_name: 'Town Square',
      type: 'O',
      purpose: 'For ~annex',
    },
  },
  {
    type: 'channel',
    channel: { team: 'crew', name: 'annex', display_name: 'Annex', type: 'P', deleted_at: 5 },
  },
  {
    type: 'user',
    user: {
      username: 'dee',
      email: 'dee@example.org',
      first_name: 'Dee',
      last_name: 'Ray',
      roles: 'system_user',
      teams: [
        {
          name: 'crew',
          channels: [
            {
              name: 'town-square',
              roles: 'channel_user',
              favorite: true,
              notify_props: { mark_unread: 'mention' },
            },
            { name: 'annex', roles: 'channel_user', favorite: false, notify_props: { mark_unread: 'all' } },
            { name: 7, favorite: true },
          ],
        },
      ],
    },
  },
  {
    type: 'user',
    user: { username: 'eli.fox', email: 'eli@example.org', roles: 'system_guest', teams: null },
  },
  { type: 'user', user: { username: 'flo', email: 'flo@example.org', nickname: 'Flo', delete_at: 7 } },
  { type: 'bot', bot: { username: 'robo', display_name: 'Robo', owner: 'dee' } },
  'not json',
  post('dee', 100, 'A question for @eli.fox. and ~annex: is __this__ _right_? `@dee`', {
    is_pinned: true,
    edit_at: atMs(150),
    reactions: [
      { user: 'eli.fox', emoji_name: 'smile', create_at: 1 },
      { user: 'dee', emoji_name: 'wave_medium_dark_skin_tone', create_at: 1 },
    ],
    replies: [
      // Replies may be older than their post.
      { user: 'eli.fox', message: 'an early answer', create_at: atMs(90) },
      {
        user: 'dee',
        message: 'thanks',
        create_at: atMs(200),
        reactions: null,
        attachments: [{ path: 'data/x/plan.pdf' }],
      },
    ],
  }),
  post('dee', 10, 'the first post', { replies: null, reactions: null }),
  post('dee', 20, 'joined', { type: 'system_join_channel' }),
  post('robo', 30, '', { props: JSON.stringify({ attachments: [{ title: 'Deploy', text: 'done' }] }) }),
  post('robo', 40, 'from a hook', { props: { from_webhook: 'true', override_username: 'Hook' } }),
  post('dee', -1e12, 'no time'),
  { type: 'direct_channel', direct_channel: { members: ['dee', 'flo'], header: '' } },
  {
    type: 'direct_post',
    direct_post: { channel_members: ['flo', 'dee'], user: 'flo', message: 'between us', create_at: atMs(50) },
  },
  { type: 'emoji', emoji: { name: 'crew', image: 'data/crew.png' } },
  { type: 'future', future: {} },
]
  .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  .join('\n')
