/** A small export of Slack, in the shapes that its documentation and real exports show. */

const DAY = ['2024-03-04', '2024-03-05', '2024-03-06'] as const
/** The time of a message: a day of the export, and seconds of it. */
export const ts = (day: 0 | 1 | 2, seconds: number) =>
  `${Date.parse(`${DAY[day]}T09:00:00Z`) / 1000 + seconds}.000100`
const day = (folder: string, index: 0 | 1 | 2) => `${folder}/${DAY[index]}.json`
const person = (id: string, name: string, more: object = {}, profile: object = {}) => ({
  id,
  team_id: 'T1',
  name: name.toLowerCase(),
  tz: 'Europe/Berlin',
  profile: { real_name: name, email: `${id.toLowerCase()}@example.org`, ...profile },
  ...more,
})
const said = (user: string, at: string, text: string, more: object = {}) => ({
  type: 'message',
  user,
  ts: at,
  text,
  ...more,
})

const ROOT = ts(0, 60)
const STRAY = ts(0, 200)

export const SLACK = {
  'users.json': [
    person('U1', 'Ann <b>Lee</b>'),
    person('U2', 'Bo', { is_restricted: true }),
    person('U3', 'Cy Gone', { deleted: true }),
    // An account of the organization has this address.
    person('U4', 'Member of both', {}, { email: 'member@example.com' }),
    person('U5', 'No Address', {}, { email: '' }),
    person('B1USER', 'Deploy Bot', { is_bot: true }, { email: '', bot_id: 'B1' }),
    { name: 'nobody' },
  ],
  'channels.json': [
    {
      id: 'C1',
      name: 'general',
      created: 1_500_000_000,
      creator: 'U1',
      is_archived: false,
      members: ['U1', 'U2', 'U3', 'U4', 'W99'],
      purpose: { value: 'For <#C2|old> &amp; all' },
      topic: { value: '' },
      pins: [{ id: ROOT, type: 'C' }],
    },
    { id: 'C2', name: 'old', created: 1_500_000_000, is_archived: true, members: [] },
  ],
  'groups.json': [{ id: 'G1', name: 'secret', created: 5, creator: 'U3', members: ['U1'] }],
  'dms.json': [{ id: 'D1', created: 1, members: ['U1', 'U4'] }],
  'mpims.json': [{ id: 'M1', name: 'mpdm-a--b-1', created: 1, members: ['U1', 'U2', 'U4'] }],
  [day('general', 0)]: [
    said('U1', ts(0, 0), 'Good *morning* <@U4>, see <https://example.org/a_b|the _plan_>'),
    said('U1', ROOT, 'Could we move the <#C2|old> release to Friday?', {
      thread_ts: ROOT,
      reply_count: 3,
      pinned_to: ['C1'],
      edited: { user: 'U1', ts: ts(0, 90) },
      reactions: [
        { name: '+1::skin-tone-3', users: ['U2', 'W99'], count: 2 },
        { name: 'nosuchemoji', users: ['U1'], count: 1 },
        { name: 'x', users: ['U1'], count: 1 },
      ],
    }),
    said('U2', ts(0, 100), 'Fine with me', { thread_ts: ROOT }),
    { type: 'message', subtype: 'channel_join', user: 'U2', ts: ts(0, 110), text: '<@U2> has joined' },
    {
      subtype: 'bot_message',
      bot_id: 'B1',
      ts: ts(0, 120),
      text: '',
      attachments: [{ title: 'Build 7', text: 'ok' }],
    },
    { subtype: 'bot_message', bot_id: 'B2', username: 'Old Hook', ts: ts(0, 130), text: 'ping' },
    said('U1', 'never', 'no time'),
    { type: 'message', subtype: 'tombstone', user: 'USLACKBOT', ts: ts(0, 140), text: 'deleted' },
    said('U1', ts(0, 150), 'twice'),
    said('U1', ts(0, 150), 'twice'),
    said('U1', ts(0, 160), 'x'.repeat(10_001)),
    said('U1', ts(0, 170), '', {
      files: [
        { id: 'F1', name: 'plan.pdf', url_private: 'https://files.slack.com/F1/plan.pdf?t=xoxe-secret' },
      ],
    }),
    // A thread whose first message is gone, named as the other one.
    said('U2', ts(0, 201), 'Could we move the <#C2|old> release to Friday?', { thread_ts: STRAY }),
  ],
  [day('general', 1)]: [
    said('U4', ts(1, 0), 'Then Friday it is', { thread_ts: ROOT, subtype: 'thread_broadcast' }),
    said('U9', ts(1, 5), 'I am in no list', { user_profile: { real_name: 'Zoe Extern' } }),
    said('U1', '99999999999.000000', 'from the future'),
  ],
  [day('general', 2)]: [said('U1', ts(2, 0), 'the last reply', { thread_ts: ROOT })],
  [day('secret', 0)]: [said('U1', ts(0, 10), 'a *secret*')],
  [day('old', 0)]: [said('U3', ts(0, 20), '<!channel> closing down &lt;soon&gt;')],
  [day('D1', 0)]: [said('U1', ts(0, 30), 'just <@U4>')],
  [day('mpdm-a--b-1', 0)]: [said('U2', ts(0, 40), 'the three of us')],
  [day('nowhere', 0)]: [said('U1', ts(0, 50), 'lost')],
  'general/canvas_in_the_conversation.json': {},
} as const
