/** Checks that the walks include every changing operation: a new one needs a line there, or an entry here. */

import t from 'tap'
import { OPERATIONS } from '../../server/api/table.ts'
import { matchOperation } from '../harness/client/check-reply.ts'
import { type Answer, Client } from '../harness/client/client.ts'
import { ACCOUNTS, emailOf, PEOPLE, type Person } from '../harness/servers/start-server.ts'
import { changeAdministration } from './administration-walk-actions.ts'
import { makeRandom } from './make-random.ts'
import { UserWalk } from './user-walk-actions.ts'
import { Walk } from './walk-actions.ts'
import type { ReplyAt } from '../harness/client/wire-types.ts'

/** Operations that no walk includes, with the reason. */
const NOT_TAKEN: ReadonlyMap<string, string> = new Map([
  ['POST /fetch_api_key', 'creates a key without an event; each takes half a second of a core'],
  ['POST /login', 'starts a session without an event to clients; see sessions.test.ts'],
  ['POST /demo_login', 'the same; see demo-logins.test.ts'],
  ['POST /logout', 'ends one in the same way'],
  ['DELETE /users/me/sessions', 'the same'],
  ['DELETE /users/me/sessions/{session_id}', 'the same'],
  ['DELETE /users/{user_id}/sessions', 'the same'],
  ['POST /users/me/keys', 'makes a key without an event to clients; see named-keys.test.ts'],
  ['DELETE /users/me/keys/{key_id}', 'the same'],
  ['POST /bots/{bot_id}/keys', 'the same'],
  ['DELETE /bots/{bot_id}/keys/{key_id}', 'the same'],
  [
    'POST /users/me/two_factor/totp',
    'changes a log-in without an event to clients; see second-factors.test.ts',
  ],
  ['POST /users/me/two_factor/totp/confirm', 'the same'],
  ['DELETE /users/me/two_factor/totp', 'the same'],
  ['POST /users/me/two_factor/recovery_codes', 'the same'],
  ['DELETE /users/{user_id}/two_factor', 'the same'],
  ['POST /login/passkey/options', 'needs a device with passkeys; see passkeys.test.ts'],
  ['POST /login/passkey', 'the same'],
  ['POST /users/me/onboarding_steps', 'changes nothing'],
  ['POST /login/desktop', 'needs the key of an app; see app-log-ins.test.ts'],
  ['POST /users/me/passkeys/options', 'the same'],
  ['POST /users/me/passkeys', 'the same'],
  ['PATCH /users/me/passkeys/{passkey_id}', 'the same'],
  ['DELETE /users/me/passkeys/{passkey_id}', 'the same'],
  ['POST /external/{integration_name}', 'sends a message like many another; see webhooks.test.ts'],
  ['POST /export/realm', 'is in no state of clients; see exports.test.ts'],
  ['DELETE /export/realm/{export_id}', 'the same'],
  ['POST /users/me/export', 'is in no state of clients; see own-exports.test.ts'],
  ['DELETE /users/me/export/{export_id}', 'the same'],
  ['POST /realm/imports', 'the same; see imports.test.ts'],
  ['PATCH /realm/imports/{import_id}', 'the same; see import-names.test.ts'],
  ['POST /realm/imports/{import_id}/start', 'the same'],
  ['DELETE /realm/imports/{import_id}', 'the same'],
  ['POST /legal_holds', 'sends no event to clients; see legal-holds.test.ts'],
  ['DELETE /legal_holds/{legal_hold_id}', 'the same'],
  ['POST /register', 'every step does it, to compare'],
  ['DELETE /events', 'every step does it, when it has compared'],
  ['POST /events/ticket', 'sends no event; see tickets.test.ts'],
  ['POST /messages/render', 'changes nothing'],
  ['POST /mobile_push/register', 'needs a push relay; see push-devices.test.ts'],
  ['POST /mobile_push/e2ee/test_notification', 'changes nothing, and needs a push relay; see push.test.ts'],
  ['POST /mobile_push/test_notification', 'the same'],
  ['POST /users/me/android_push_reg_id', 'stores a token without an event; see push-tokens.test.ts'],
  ['DELETE /users/me/android_push_reg_id', 'the same'],
  ['POST /users/me/apns_device_token', 'the same'],
  ['DELETE /users/me/apns_device_token', 'the same'],
  ['POST /users/me/web_push', 'stores a device without an event; see web-push.test.ts'],
  ['DELETE /users/me/web_push/{web_push_id}', 'the same'],
  ['POST /users/me/web_push/{web_push_id}/test', 'sends a push without an event; see web-push.test.ts'],
  ['POST /server/mail/test', 'sends a mail without an event; see joining-without-mail.test.ts'],
  ['DELETE /invites/{invite_id}', 'is the other path to DELETE /invites/multiuse/{invite_id}'],
  ['PATCH /settings/notifications', 'is PATCH /settings of older clients'],
  ['PATCH /settings/display', 'the same'],
  ['DELETE /user_groups/{user_group_id}', 'is POST /user_groups/{user_group_id}/deactivate of older clients'],
  [
    'POST /realm/test_welcome_bot_custom_message',
    'sends a direct message like many another; see organization.test.ts',
  ],
  [
    'POST /bots/{bot_id}/signing_secret/regenerate',
    'stores a secret without an event; see outgoing-webhooks.test.ts',
  ],
  ['PUT /bot_storage', 'stores values without events; see bot-storage.test.ts'],
  ['DELETE /bot_storage', 'the same'],
  ['POST /calls/provider/create', 'needs a provider of calls; see video-calls.test.ts'],
  ['POST /calls/livekit/create', 'signs a link without events; see meetings.test.ts'],
])
/** So many that each walk has used each of its lines. */
const CHANGES = 4_000

const taken = new Set<string>()

/** A client that sends nothing and records its requests. */
class NotingClient extends Client {
  override async request<Method extends string, Path extends string>(
    method: Method,
    path: Path,
  ): Promise<Answer<ReplyAt<Method, Path>>> {
    // The router distinguishes an address from an id.
    const operation = matchOperation(method, path.replace(/[^/]+@[^/]+$/, '{user_id_or_email}'))
    if (!operation) throw new Error(`no operation has the path ${method} ${path}`)
    taken.add(`${operation.method} ${operation.path}`)
    const body: unknown = { id: 1, ids: [1], user_id: 7, api_key: '', message: {} }
    return { status: 200, body: body as Answer<ReplyAt<Method, Path>>['body'], headers: new Headers() }
  }

  override upload<Path extends string, Method extends string = 'POST'>(
    path: Path,
    _files: readonly Uint8Array[],
    method: Method = 'POST' as Method,
  ): Promise<Answer<ReplyAt<Method, Path>>> {
    return this.request(method, path)
  }
}

const as = (person: Person) => new NotingClient('', ACCOUNTS.get(person)?.id ?? 0, emailOf(person), '')

t.test('[WALKO3] every changing operation is part of a walk', async (t) => {
  const random = makeRandom(1)
  const extras = [8, 9].map((id) => new NotingClient('', id, `extra${id}@example.com`, ''))
  const clients = [as('owner'), ...PEOPLE.map(as), ...extras] as const
  const file = new Uint8Array(1)
  const walks = [
    new Walk(random, clients, file, () => 0),
    new UserWalk(random, clients, [file], async () => {}),
  ]
  for (let count = 0; count < CHANGES; count++) {
    for (const walk of walks) await walk.change()
    await changeAdministration(random, as)
  }
  const changing = OPERATIONS.filter(({ method, events }) => method !== 'GET' || events.length > 0)
  for (const { method, path } of changing) {
    const name = `${method} ${path}`
    t.not(taken.has(name), NOT_TAKEN.has(name), `${name} is either taken by a walk or named here`)
  }
  for (const name of NOT_TAKEN.keys()) {
    t.ok(
      changing.some(({ method, path }) => `${method} ${path}` === name),
      `${name} is in the table`,
    )
  }
})
