/** Why nothing reaches a person: each reason alone, and what does not count as one. */

import t from 'tap'
import type { State } from '../../../client/store/apply.ts'
import {
  findReach,
  type ReachedDevice,
  type ReachedPhone,
  type ReachFacts,
  refusesAddress,
} from '../../../client/store/derived/reach.ts'

const NOW = 1_900_000_000
const OFF = {
  enable_offline_push_notifications: false,
  enable_followed_topic_push_notifications: false,
  enable_stream_push_notifications: false,
  enable_offline_email_notifications: false,
  enable_followed_topic_email_notifications: false,
  enable_stream_email_notifications: false,
}
const settings = (changes: object = {}) => ({
  user_settings: {
    ...OFF,
    enable_offline_push_notifications: true,
    enable_offline_email_notifications: true,
    parley_notifications_paused_until: 0,
    parley_quiet_hours: '',
    ...changes,
  },
})
const WELL = { parley_email_enabled: true, realm_push_notifications_enabled: false }
const RELAYED = { realm_push_notifications_enabled: true }
const stateOf = (changes: object = {}) => ({ ...WELL, ...settings(), ...changes }) as unknown as State
const device = (last_answer: string | null = null, is_current = false): ReachedDevice => ({
  last_answer,
  is_current,
})
const phone = (last_answer: string | null = null, is_registered = true): ReachedPhone => ({
  last_answer,
  is_registered,
})
const ALL_QUIET = '1,2,3,4,5,6,7 00:00-00:00 UTC'

/** Facts that differ from those of a person who is reached both ways, and the kinds of reasons for push and mail. */
const TABLE: readonly (readonly [rule: string, Partial<ReachFacts>, push: string, mail: string])[] = [
  ['one browser', {}, '', ''],
  ['a device that no push was sent to', { devices: [device(null)] }, '', ''],
  ['one of two devices fails', { devices: [device('500'), device('201')] }, '', ''],
  ['one of two was never tried', { devices: [device('500'), device()] }, '', ''],
  ['all devices fail', { devices: [device('500'), device('timeout')] }, 'failing', ''],
  ['no device', { devices: [] }, 'no_device', ''],
  [
    'only this browser, which is blocked',
    { devices: [device('201', true)], isBlockedHere: true },
    'no_device',
    '',
  ],
  ['another browser while this one is blocked', { isBlockedHere: true }, '', ''],
  ['no way to push', { hasWebPush: false }, 'server_off', ''],
  [
    'a phone through the relay',
    { state: stateOf(RELAYED), phones: [phone()], devices: [], hasWebPush: false },
    '',
    '',
  ],
  ['a phone without the relay', { phones: [phone()], devices: [] }, 'no_relay', ''],
  ['a phone without the relay, and a browser', { phones: [phone()] }, '', ''],
  [
    'a phone whose token is not registered',
    { state: stateOf(RELAYED), phones: [phone(null, false)], devices: [] },
    'no_device',
    '',
  ],
  [
    'a phone and a failing browser',
    { state: stateOf(RELAYED), phones: [phone('200')], devices: [device('410')] },
    '',
    '',
  ],
  [
    'a phone that fails',
    { state: stateOf(RELAYED), phones: [phone('no answer')], devices: [] },
    'failing',
    '',
  ],
  [
    'a phone and a browser that fail',
    { state: stateOf(RELAYED), phones: [phone('failed')], devices: [device('500')] },
    'failing',
    '',
  ],
  ['no mail server', { state: stateOf({ parley_email_enabled: false }) }, '', 'server_off'],
  ['a mail server that took the last email', { email: { last_answer: '250' } }, '', ''],
  ['a mail server that refuses the address', { email: { last_answer: '550' } }, '', 'failing'],
  [
    'no mail server any more',
    { state: stateOf({ parley_email_enabled: false }), email: { last_answer: 'no answer' } },
    '',
    'server_off',
  ],
  ['all settings off', { state: stateOf(settings(OFF)) }, 'settings_off', 'settings_off'],
  [
    'followed topics alone',
    {
      state: stateOf(
        settings({
          ...OFF,
          enable_followed_topic_push_notifications: true,
          enable_followed_topic_email_notifications: true,
        }),
      ),
    },
    '',
    '',
  ],
  [
    'channels alone',
    {
      state: stateOf(
        settings({ ...OFF, enable_stream_push_notifications: true, enable_stream_email_notifications: true }),
      ),
    },
    '',
    '',
  ],
  [
    'one channel alone',
    {
      state: stateOf({
        ...settings(OFF),
        subscriptions: [{ push_notifications: true, email_notifications: false }],
      }),
    },
    '',
    'settings_off',
  ],
  [
    'a pause',
    { state: stateOf(settings({ parley_notifications_paused_until: NOW + 1 })) },
    'paused',
    'paused',
  ],
  ['a pause that is over', { state: stateOf(settings({ parley_notifications_paused_until: NOW })) }, '', ''],
  ['quiet hours', { state: stateOf(settings({ parley_quiet_hours: ALL_QUIET })) }, 'quiet', 'quiet'],
  [
    'all at once',
    {
      state: stateOf({
        ...settings({ ...OFF, parley_quiet_hours: ALL_QUIET }),
        parley_email_enabled: false,
      }),
      devices: [],
    },
    'no_device settings_off quiet',
    'server_off settings_off quiet',
  ],
]

t.test('[REACH1] each reason why nothing reaches a person is named, and only those that hold', async (t) => {
  const well: ReachFacts = {
    state: stateOf(),
    hasWebPush: true,
    devices: [device('201')],
    phones: [],
    email: { last_answer: null },
    isBlockedHere: false,
    now: NOW,
  }
  const kinds = (reasons: readonly { readonly kind: string }[]) => reasons.map(({ kind }) => kind).join(' ')
  for (const [rule, facts, push, mail] of TABLE) {
    const reach = findReach({ ...well, ...facts })
    t.same([kinds(reach.push), kinds(reach.mail)], [push, mail], rule)
  }
  const failing = findReach({ ...well, devices: [device('500'), device('500'), device('timeout')] })
  t.same(failing.push, [{ kind: 'failing', answers: ['500', 'timeout'] }], 'each answer once')
  const paused = findReach({
    ...well,
    state: stateOf(settings({ parley_notifications_paused_until: NOW + 60 })),
  })
  t.same(paused.mail, [{ kind: 'paused', until: NOW + 60 }])
})

t.test('[REACH2] only a refusal for good is about the address, not one of our own log-in', async (t) => {
  for (const answer of ['500', '529', '540', '550', '554']) t.equal(refusesAddress(answer), true, answer)
  for (const answer of ['421', '450', '530', '535', '538', 'no answer', '5500'])
    t.equal(refusesAddress(answer), false, answer)
})
