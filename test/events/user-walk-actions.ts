/**
 * One random change of users, for the user walk. A new operation is one more line of `change`: its weight and
 * its request.
 */

import type { Answer, Client, Fields } from '../harness/client/client.ts'
import type { Random } from './make-random.ts'
import { EMOJI, organizationKinds } from './organization-walk-actions.ts'

/** People, their bot, and users whose accounts come and go. */
export const USERS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
const EXTRAS = [8, 9] as const
const CHANNEL_COUNT = 2
/** As many bots and profile fields as the walk creates, so that changes name existing ones. */
const MADE_MAX = 6
const FIRST_GROUP = 9
const ROLES = [100, 200, 300, 400, 400, 600]
const SWITCHES = [
  'presence_enabled',
  'send_read_receipts',
  'twenty_four_hour_time',
  'enable_desktop_notifications',
  'send_private_typing_notifications',
]
const FIELD_TYPES = [1, 2, 4, 5, 6]
const VALUES = ['short', 'with *Markdown*', '2001-02-03', 'https://example.com/x', [4, 5]]

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Request = readonly [client: Client, method: Method, path: string, fields?: Fields, file?: Uint8Array]
/** A weighted action: how often, and its request. */
export type Kind = readonly [weight: number, request: () => Request | Promise<Request>]

/** The context of a change. */
export interface Draw {
  readonly owner: Client
  readonly anyone: Client
  /** A user who is not a viewer. */
  readonly extra: Client
  /** An image. */
  readonly file: Uint8Array
  passwordOf(client: Client): string | undefined
}

/** Makes changes from a seed; a refusal is fine, too. */
export class UserWalk {
  readonly #random: Random
  readonly #owner: Client
  readonly #clients: readonly Client[]
  /** The changes made, for the report of a failure. */
  readonly log: string[] = []
  readonly #botIds: number[] = [7]
  readonly #devices: { readonly client: Client; readonly id: number }[] = []
  #botCount = 0
  readonly #files: readonly Uint8Array[]
  readonly #passwords = new Map<Client, string>()
  readonly #giveKeyBack: (client: Client) => Promise<void>

  /** The first client is the owner's, with most rights; the files are images. */
  constructor(
    random: Random,
    clients: readonly [Client, ...Client[]],
    files: readonly Uint8Array[],
    giveKeyBack: (client: Client) => Promise<void>,
  ) {
    this.#random = random
    this.#owner = clients[0]
    this.#clients = clients
    this.#files = files
    this.#giveKeyBack = giveKeyBack
  }

  /** Makes a change; returns whether it succeeded. */
  async change(): Promise<boolean> {
    const random = this.#random
    const pick = <Item>(items: readonly Item[]): Item => random.pick(items)
    const below = (bound: number) => random.below(bound)
    const owner = this.#owner
    const anyone = pick(this.#clients)
    const truth = () => below(2) === 0
    const user = () => pick(USERS)
    const bot = () => pick(this.#botIds)
    const field = () => 1 + below(MADE_MAX)
    const name = () => `Name ${below(20)}`
    const group = () => `/user_groups/${FIRST_GROUP + below(2)}`
    const draw: Draw = {
      owner,
      anyone,
      extra: pick(this.#clients.filter(({ userId }) => EXTRAS.some((id) => id === userId))),
      file: pick(this.#files),
      passwordOf: (client) => this.#passwords.get(client),
    }
    const kinds: readonly Kind[] = [
      ...organizationKinds(random, draw),
      // Status and presence.
      [3, () => [anyone, 'POST', '/users/me/status', { status_text: pick(['', 'away', 'here']) }]],
      [2, () => [anyone, 'POST', '/users/me/status', { emoji_name: pick(['', 'car', ...EMOJI]) }]],
      [1, () => [anyone, 'POST', '/users/me/status', { away: truth() }]],
      [2, () => [owner, 'POST', `/users/${user()}/status`, { status_text: pick(['', 'set']) }]],
      [5, () => [anyone, 'POST', '/users/me/presence', { status: pick(['active', 'idle']) }]],
      [1, () => [owner, 'PATCH', '/realm', { presence_disabled: below(4) === 0 }]],
      // Profiles.
      [2, () => [owner, 'POST', '/realm/profile_fields', { field_type: pick(FIELD_TYPES), name: name() }]],
      [1, () => [owner, 'PATCH', `/realm/profile_fields/${field()}`, { hint: `hint ${below(9)}` }]],
      [1, () => [owner, 'DELETE', `/realm/profile_fields/${field()}`]],
      [
        5,
        () => [anyone, 'PATCH', '/users/me/profile_data', { data: [{ id: field(), value: pick(VALUES) }] }],
      ],
      [1, () => [anyone, 'DELETE', '/users/me/profile_data', { data: [field()] }]],
      [
        1,
        () => [owner, 'PATCH', `/users/${user()}`, { profile_data: [{ id: field(), value: pick(VALUES) }] }],
      ],
      // Bots.
      [3, () => [anyone, 'POST', '/bots', { short_name: `walk${this.#botCount++}`, full_name: name() }]],
      [
        2,
        () => [
          anyone,
          'POST',
          '/bots',
          {
            short_name: `walk${this.#botCount++}`,
            full_name: name(),
            ...(truth() ? { bot_type: 3, payload_url: 'https://example.com/hook' } : { bot_type: 2 }),
            ...(truth() ? { default_sending_stream: 'one', default_events_register_stream: 'two' } : {}),
          },
        ],
      ],
      [3, () => [pick([owner, anyone]), 'PATCH', `/bots/${bot()}`, { full_name: name() }]],
      [
        2,
        () => [
          pick([owner, anyone]),
          'PATCH',
          `/bots/${bot()}`,
          pick<Fields>([
            { service_payload_url: `https://example.com/${below(3)}`, service_interface: 1 + below(2) },
            { default_all_public_streams: truth() },
            { default_sending_stream: pick(['', 'one', 'two']) },
            { default_events_register_stream: pick(['', 'one', 'two']) },
            { role: pick(ROLES) },
          ]),
        ],
      ],
      [1, () => [pick([owner, anyone]), 'GET', `/bots/${bot()}/api_key`]],
      [2, () => [owner, 'PATCH', `/bots/${bot()}`, { bot_owner_id: user() }]],
      [1, () => [pick([owner, anyone]), 'DELETE', `/bots/${bot()}`]],
      [2, () => [owner, 'POST', `/users/${bot()}/reactivate`]],
      [1, () => [anyone, 'POST', `/bots/${bot()}/api_key/regenerate`]],
      // Devices.
      [2, () => [anyone, 'POST', '/register_client_device']],
      [
        1,
        () => {
          const { client, id } = pick([...this.#devices, { client: anyone, id: 0 }])
          return [client, 'POST', '/remove_client_device', { device_id: id }]
        },
      ],
      // Accounts.
      [5, () => [owner, 'PATCH', `/users/${pick([2, 3, 4, 5, 6, ...EXTRAS])}`, { role: pick(ROLES) }]],
      [2, () => [anyone, 'PATCH', `/users/${pick(USERS.slice(1))}`, { role: pick(ROLES) }]],
      [3, () => [owner, 'PATCH', `/users/${user()}`, { full_name: name() }]],
      [2, () => [owner, 'DELETE', `/users/${pick(EXTRAS)}`]],
      [4, () => [owner, 'POST', `/users/${pick(EXTRAS)}/reactivate`]],
      // Settings.
      [4, () => [anyone, 'PATCH', '/settings', { [pick(SWITCHES)]: truth() }]],
      [2, () => [anyone, 'PATCH', '/settings', { full_name: name() }]],
      [3, () => [anyone, 'PATCH', '/settings', { email_address_visibility: 1 + below(5) }]],
      [2, () => [anyone, 'PATCH', '/settings', { timezone: pick(['', 'Europe/Berlin', 'Asia/Tokyo']) }]],
      [1, () => [owner, 'PATCH', '/realm', { waiting_period_threshold: pick([0, 10_000]) }]],
      // Topics.
      [
        3,
        () => [
          anyone,
          'POST',
          '/user_topics',
          { stream_id: 1 + below(CHANNEL_COUNT), topic: pick(['a', 'A', 'b']), visibility_policy: below(4) },
        ],
      ],
      // Files.
      [2, () => [anyone, 'POST', '/user_uploads', {}, pick(this.#files)]],
      [1, () => [anyone, 'DELETE', `/attachments/${1 + below(20)}`]],
      // Groups.
      [2, () => [owner, 'POST', `${group()}/members`, { add: [user()] }]],
      [2, () => [owner, 'POST', `${group()}/members`, { delete: [user()] }]],
      [1, () => [anyone, 'POST', `${group()}/members`, { add: [anyone.userId] }]],
      [1, () => [owner, 'PATCH', group(), { description: name(), can_join_group: { new: 1 + below(8) } }]],
      [1, () => [owner, 'POST', `${group()}/deactivate`]],
      [1, () => [owner, 'PATCH', group(), { deactivated: false }]],
    ]
    let left = below(kinds.reduce((sum, [weight]) => sum + weight, 0))
    const [, request] = kinds.find(([weight]) => (left -= weight) < 0) as (typeof kinds)[number]
    return (await this.#ask(...(await request()))).status === 200
  }

  async #ask(...[client, method, path, fields = {}, file]: Request): Promise<Answer> {
    const answer = file
      ? await client.upload(path, [file], method, fields as Record<string, string>)
      : await client.request(method, path, fields)
    const { status, body } = answer
    this.log.push(`${client.userId}: ${method} ${path} ${JSON.stringify(fields)} ${status} ${body.msg}`)
    if (status >= 500) throw new Error(JSON.stringify(body))
    if (path === '/bots' && status === 200) {
      this.#botIds.push(Number(body.user_id))
      if (this.#botIds.length > MADE_MAX) this.#botIds.shift()
    }
    if (path === '/register_client_device' && status === 200) {
      this.#devices.push({ client, id: Number(body.device_id) })
      if (this.#devices.length > MADE_MAX) this.#devices.shift()
    }
    const returning = Number(/^\/users\/(\d+)\/reactivate$/.exec(path)?.[1])
    for (const one of this.#clients) {
      if (status === 200 && one.userId === returning) await this.#giveKeyBack(one)
    }
    if (status === 200) this.#follow(client, path, fields, body)
    return answer
  }

  /** A user with a new key or password uses it from now on. A new address counts once its mail is confirmed. */
  #follow(client: Client, path: string, { new_password }: Fields, body: Answer['body']): void {
    const keyedId = Number(/^\/bots\/(\d+)\/api_key\/regenerate$/.exec(path)?.[1] ?? client.userId)
    for (const one of this.#clients) {
      if (one.userId === keyedId && path.endsWith('/api_key/regenerate')) one.key = String(body.api_key)
    }
    if (path === '/settings' && typeof new_password === 'string') this.#passwords.set(client, new_password)
  }
}
