/** One random change of messages, users or settings that affect them, for the message walk. */

import type { Answer, Client, Fields } from '../harness/client/client.ts'
import type { Random } from './make-random.ts'
import type { ReplyAt } from '../harness/client/wire-types.ts'

/** The channels: public, private with shared history, private with protected history. */
export const CHANNELS = ['open', 'shared', 'closed'] as const
/** People and the bot, and last the user whose account comes and goes. */
export const USERS = [1, 2, 3, 4, 5, 6, 7, 8] as const
const EXTRA = 8
const FIRST_GROUP = 9
const TOPICS = ['', 'a', 'A', 'b', 'c']
/** Custom emoji; the last one replaces a standard one. */
const CUSTOM_EMOJI = ['walk_one', 'walk_two', 'heart']
const EMOJI = ['smile', 'car', ...CUSTOM_EMOJI]
const ALERT_WORDS = ['alert', 'Alert', 'word']
/** Settings that follow topics automatically. */
const FOLLOWING = [
  'automatically_follow_topics_policy',
  'automatically_unmute_topics_in_muted_streams_policy',
]
const SYSTEM_GROUPS = [1, 2, 3, 4, 5, 6, 7, 8]
const CHANNEL_PERMISSIONS = [
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_subscribe_group',
  'can_send_message_group',
  'can_delete_any_message_group',
  'can_move_messages_out_of_channel_group',
]
const SETTINGS = [
  'presence_enabled',
  'twenty_four_hour_time',
  'enable_desktop_notifications',
  'send_read_receipts',
]

/** Makes changes from a seed; a refusal is fine, too. */
export class Walk {
  readonly #random: Random
  readonly #owner: Client
  readonly #clients: readonly Client[]
  /** The changes made, for the report of a failure. */
  readonly log: string[] = []
  #messageIds: number[] = []
  #pollIds: number[] = []
  #pinIds: number[] = []
  #draftIds: number[] = []
  #scheduledIds: number[] = []
  #reminderIds: number[] = []
  /** The latest files of each user. */
  readonly #urls = new Map<Client, string[]>()
  readonly #file: Uint8Array
  readonly #nowSeconds: () => number

  /**
   * The first client is the owner's, with most rights; the file is an image; the time is that of the server.
   */
  constructor(
    random: Random,
    clients: readonly [Client, ...Client[]],
    file: Uint8Array,
    nowSeconds: () => number,
  ) {
    this.#random = random
    this.#owner = clients[0]
    this.#clients = clients
    this.#file = file
    this.#nowSeconds = nowSeconds
  }

  /** Makes a change; returns whether it succeeded. */
  async change(): Promise<boolean> {
    const kinds: readonly (readonly [weight: number, act: () => Promise<Answer>])[] = [
      [14, () => this.#send()],
      [5, () => this.#sendDirect()],
      [6, () => this.#edit()],
      [12, () => this.#move()],
      [5, () => this.#delete()],
      [5, () => this.#react()],
      [6, () => this.#pin()],
      [3, () => this.#vote()],
      [12, () => this.#flag()],
      [3, () => this.#draft()],
      [16, () => this.#upload()],
      [6, () => this.#schedule()],
      [10, () => this.#account()],
      [4, () => this.#profile()],
      [5, () => this.#presence()],
      [8, () => this.#subscribe()],
      [4, () => this.#muteTopic()],
      [6, () => this.#channel()],
      [4, () => this.#group()],
      [3, () => this.#type()],
      [2, () => this.#report()],
      [8, () => this.#prefer()],
      [3, () => this.#changeEmoji()],
    ]
    let left = this.#random.below(kinds.reduce((sum, [weight]) => sum + weight, 0))
    const [, act] = kinds.find(([weight]) => (left -= weight) < 0) as (typeof kinds)[number]
    const answer = await act()
    if (answer.status >= 500) throw new Error(JSON.stringify(answer.body))
    return answer.status === 200
  }

  async #do<Method extends string, Path extends string>(
    client: Client,
    method: Method,
    path: Path,
    fields: Fields,
  ): Promise<Answer<ReplyAt<Method, Path>>> {
    const answer = await client.request(method, path, fields)
    const { id, ids, msg } = answer.body as { id?: unknown; ids?: unknown; msg: string }
    const outcome = answer.status === 200 ? JSON.stringify(id ?? ids ?? '') : msg
    this.log.push(`${client.userId}: ${method} ${path} ${JSON.stringify(fields)} ${answer.status} ${outcome}`)
    return answer
  }

  #someone = (): Client => (this.#random.below(3) === 0 ? this.#owner : this.#random.pick(this.#clients))
  #channelId = (): number => 1 + this.#random.below(CHANNELS.length)
  #topic = (): string => this.#random.pick(TOPICS)
  #truth = (): boolean => this.#random.below(2) === 0
  #message = (): number =>
    this.#messageIds.length === 0 ? 1 : this.#random.pick(this.#messageIds.slice(-25))
  #setting = (): unknown =>
    this.#truth()
      ? this.#random.pick([...SYSTEM_GROUPS, FIRST_GROUP])
      : {
          direct_members: this.#random.some(USERS),
          direct_subgroups: this.#truth() ? [] : this.#random.some([1, 4, FIRST_GROUP]),
        }

  /** A file to link, mostly an own one, or none. */
  #url(author: Client): string {
    const own = (this.#urls.get(author) ?? []).slice(-2)
    const foreign = [...this.#urls.values()].map((urls) => urls.at(-1) ?? '')
    return this.#truth() ? '' : this.#random.pick(['', ...own, ...own, ...own, ...foreign])
  }

  /** A text as a user might write it. */
  #content(author: Client, url = this.#url(author)): string {
    const mention = this.#random.pick([
      '',
      '@**all**',
      '@**topic**',
      'an alert',
      '@*folk*',
      '@_**|4**',
      `@**|${this.#random.pick(USERS)}**`,
      `@**|${this.#random.pick(USERS)}** and @**|${this.#random.pick(USERS)}**`,
    ])
    return `*text* ${this.#random.below(1_000)} ${mention} ${url === '' ? '' : `[file](${url})`}`
  }

  async #send(sender = this.#someone(), url?: string): Promise<Answer> {
    const isPoll = url === undefined && this.#random.below(5) === 0
    const answer = await this.#do(sender, 'POST', '/messages', {
      type: 'channel',
      to: this.#channelId(),
      topic: this.#topic(),
      content: isPoll ? '/poll Lunch?\nsoup\nsalad' : this.#content(sender, url),
      ...(this.#truth() ? { read_by_sender: this.#truth() } : {}),
    })
    if (answer.status === 200) {
      this.#messageIds.push(answer.body.id)
      if (isPoll) this.#pollIds.push(answer.body.id)
    }
    return answer
  }

  async #sendDirect(sender = this.#random.pick(this.#clients), url?: string): Promise<Answer> {
    const others = [...Array(this.#random.below(3))].map(() => this.#random.pick(USERS))
    const answer = await this.#do(sender, 'POST', '/messages', {
      type: 'direct',
      to: others.length === 0 ? [sender.userId] : [...new Set(others)],
      content: this.#content(sender, url),
    })
    if (answer.status === 200) this.#messageIds.push(answer.body.id)
    return answer
  }

  #edit(): Promise<Answer> {
    const author = this.#someone()
    return this.#do(author, 'PATCH', `/messages/${this.#message()}`, {
      content: this.#content(author),
      ...(this.#random.below(4) === 0 ? { topic: this.#topic() } : {}),
    })
  }

  async #move(): Promise<Answer> {
    const mover = this.#someone()
    const id = this.#message()
    const propagate_mode = this.#random.pick(['change_one', 'change_later', 'change_all'])
    const topic = this.#topic()
    const notices = {
      send_notification_to_old_thread: this.#truth(),
      send_notification_to_new_thread: this.#truth(),
    }
    if (this.#random.below(4) === 0) {
      const { body } = await this.#owner.get(`/messages/${id}`, { allow_empty_topic_name: true })
      const now: string = body.message?.subject ?? ''
      const resolved = now.startsWith('✔ ') ? now.slice(2) : `✔ ${now}`
      return this.#do(mover, 'PATCH', `/messages/${id}`, { topic: resolved, propagate_mode: 'change_all' })
    }
    return this.#do(mover, 'PATCH', `/messages/${id}`, {
      ...(this.#truth() ? { topic } : { stream_id: this.#channelId() }),
      ...(this.#random.below(4) === 0 ? { topic, stream_id: this.#channelId() } : {}),
      ...notices,
      propagate_mode,
    })
  }

  #delete(): Promise<Answer> {
    return this.#random.below(3) === 0
      ? this.#do(this.#someone(), 'POST', `/streams/${this.#channelId()}/delete_topic`, {
          topic_name: this.#topic(),
        })
      : this.#do(this.#someone(), 'DELETE', `/messages/${this.#message()}`, {})
  }

  #react(): Promise<Answer> {
    const method = this.#random.below(3) === 0 ? 'DELETE' : 'POST'
    const emoji_name = this.#random.pick(EMOJI)
    return this.#do(this.#someone(), method, `/messages/${this.#message()}/reactions`, { emoji_name })
  }

  async #pin(): Promise<Answer> {
    const former = this.#pinIds.length === 0 ? 1 : this.#random.pick(this.#pinIds)
    if (this.#random.below(3) === 0) return this.#do(this.#someone(), 'DELETE', `/pins/${former}`, {})
    const kind = this.#random.pick(['message', 'topic'])
    const answer = await this.#do(this.#someone(), 'POST', `/messages/${this.#message()}/pin`, { kind })
    const { pin_id: pinId } = answer.body as { pin_id?: number }
    if (pinId !== undefined) this.#pinIds = [...this.#pinIds.slice(-9), pinId]
    return answer
  }

  #vote(): Promise<Answer> {
    return this.#do(this.#someone(), 'POST', '/submessage', {
      message_id: this.#pollIds.length === 0 ? 1 : this.#random.pick(this.#pollIds.slice(-4)),
      msg_type: 'widget',
      content: JSON.stringify({
        type: 'vote',
        key: `canned,${this.#random.below(2)}`,
        vote: this.#truth() ? 1 : -1,
      }),
    })
  }

  #flag(): Promise<Answer> {
    const client = this.#random.pick(this.#clients)
    const op = this.#random.pick(['add', 'remove'])
    const flag = this.#random.pick(['read', 'read', 'starred', 'collapsed'])
    return this.#random.pick([
      () =>
        this.#do(client, 'POST', '/messages/flags', {
          messages: [this.#message(), this.#message(), this.#message()],
          op,
          flag,
        }),
      () =>
        this.#do(client, 'POST', '/messages/flags', {
          messages: [this.#message()],
          op: 'remove',
          flag: 'read',
        }),
      () =>
        this.#do(client, 'POST', '/messages/flags/narrow', {
          anchor: this.#random.pick(['first_unread', 'newest', 'oldest', String(this.#message())]),
          num_before: this.#random.below(10),
          num_after: this.#random.below(10),
          narrow: this.#random.pick<unknown[]>([
            [],
            [{ operator: 'channel', operand: this.#channelId() }],
            [{ operator: 'is', operand: 'dm' }],
            [
              { operator: 'channel', operand: this.#channelId() },
              { operator: 'topic', operand: this.#topic() },
            ],
          ]),
          op,
          flag,
        }),
      () =>
        this.#do(client, 'POST', '/mark_topic_as_read', {
          stream_id: this.#channelId(),
          topic_name: this.#topic(),
        }),
      () => this.#do(client, 'POST', '/mark_stream_as_read', { stream_id: this.#channelId() }),
      () =>
        this.#do(client, 'POST', this.#truth() ? '/mark_all_as_read' : '/messages/flags', {
          messages: [this.#message()],
          op,
          flag,
        }),
    ])()
  }

  /** Sends typing, or edit typing. */
  #type(): Promise<Answer> {
    const client = this.#random.pick(this.#clients)
    const op = this.#random.pick(['start', 'stop'])
    return this.#random.pick([
      () => this.#do(client, 'POST', `/messages/${this.#message()}/typing`, { op }),
      () => this.#do(client, 'POST', '/typing', { op, to: this.#random.some(USERS).slice(0, 3) }),
      () =>
        this.#do(client, 'POST', '/typing', {
          type: 'channel',
          op,
          stream_id: this.#channelId(),
          topic: this.#topic(),
        }),
    ])()
  }

  #report(): Promise<Answer> {
    const report = { report_type: 'spam', description: this.#content(this.#owner) }
    return this.#random.pick([
      () => this.#do(this.#owner, 'PATCH', '/realm', { moderation_request_channel_id: this.#channelId() }),
      () => this.#do(this.#someone(), 'POST', `/messages/${this.#message()}/report`, report),
    ])()
  }

  /** Personal settings that affect message flags and topics. */
  #prefer(): Promise<Answer> {
    const client = this.#random.pick(this.#clients)
    const words = { alert_words: this.#random.some(ALERT_WORDS) }
    const muted = `/users/me/muted_users/${this.#random.pick(USERS)}`
    return this.#random.pick([
      () => this.#do(client, 'POST', muted, {}),
      () => this.#do(client, 'DELETE', muted, {}),
      () => this.#do(client, 'POST', '/users/me/alert_words', words),
      () => this.#do(client, 'DELETE', '/users/me/alert_words', words),
      () =>
        this.#do(client, 'PATCH', '/settings', {
          [this.#random.pick(FOLLOWING)]: 1 + this.#random.below(4),
        }),
      () =>
        this.#do(client, 'PATCH', '/settings', {
          automatically_follow_topics_where_mentioned: this.#truth(),
        }),
    ])()
  }

  async #changeEmoji(): Promise<Answer> {
    const path = `/realm/emoji/${this.#random.pick(CUSTOM_EMOJI)}`
    if (this.#random.below(3) === 0) return this.#do(this.#owner, 'DELETE', path, {})
    const answer = await this.#owner.upload(path, [this.#file])
    this.log.push(`1: POST ${path} ${answer.status}`)
    return answer
  }

  async #draft(): Promise<Answer> {
    const client = this.#random.pick(this.#clients)
    const draft = {
      ...this.#random.pick([
        { type: '', to: [], topic: '' },
        { type: 'stream', to: [this.#channelId()], topic: this.#topic() },
        { type: 'private', to: this.#random.some([1, 4, 5, 6]), topic: '' },
      ]),
      content: this.#content(client),
      timestamp: this.#random.below(100),
    }
    const id = this.#draftIds.length === 0 ? 0 : this.#random.pick(this.#draftIds)
    const kind = this.#random.below(4)
    if (kind === 0) return this.#do(client, 'PATCH', `/drafts/${id}`, { draft })
    if (kind === 1) return this.#do(client, 'DELETE', `/drafts/${id}`, {})
    const answer = await this.#do(client, 'POST', '/drafts', { drafts: [draft, draft] })
    this.#draftIds.push(...(answer.body.ids ?? []))
    return answer
  }

  /** Files are uploaded and deleted; messages link the latest. */
  async #upload(): Promise<Answer> {
    const client = this.#random.pick(this.#clients)
    if (this.#random.below(5) === 0) {
      const { body } = await client.get('/attachments')
      const ids: number[] = (body.attachments ?? []).map((one: { id: number }) => one.id)
      return this.#do(client, 'DELETE', `/attachments/${this.#random.pick([0, ...ids])}`, {})
    }
    const answer = await client.upload('/user_uploads', [this.#file])
    const { url, msg } = answer.body
    this.log.push(`${client.userId}: POST /user_uploads ${answer.status} ${url ?? msg}`)
    if (answer.status !== 200) return answer
    this.#urls.set(client, [...(this.#urls.get(client) ?? []), url])
    return this.#random.below(3) > 0 ? this.#send(client, url) : this.#sendDirect(client, url)
  }

  /** Scheduled messages, most of them due after a few more changes. */
  async #schedule(): Promise<Answer> {
    const client = this.#random.pick(this.#clients)
    const deliverAt = { scheduled_delivery_timestamp: this.#nowSeconds() + 1 + this.#random.below(900) }
    const place = this.#truth()
      ? { type: 'channel', to: this.#channelId(), topic: this.#topic() }
      : { type: 'direct', to: this.#random.some(USERS).slice(0, 3) }
    const message = { ...place, content: this.#content(client) }
    const path = `/scheduled_messages/${this.#random.pick([0, ...this.#scheduledIds.slice(-4)])}`
    const kind = this.#random.below(8)
    if (kind === 0) {
      return this.#do(
        client,
        'PATCH',
        path,
        this.#truth() ? deliverAt : { content: message.content, ...deliverAt },
      )
    }
    if (kind === 1) return this.#do(client, 'DELETE', path, {})
    if (kind === 2) {
      return this.#do(
        client,
        'DELETE',
        `/reminders/${this.#random.pick([0, ...this.#reminderIds.slice(-4)])}`,
        {},
      )
    }
    if (kind < 5) {
      const reminder = { message_id: this.#message(), note: 'a note', ...deliverAt }
      const answer = await this.#do(client, 'POST', '/reminders', reminder)
      if (answer.status === 200) this.#reminderIds.push(answer.body.reminder_id)
      return answer
    }
    const answer = await this.#do(client, 'POST', '/scheduled_messages', { ...message, ...deliverAt })
    if (answer.status === 200) this.#scheduledIds.push(answer.body.scheduled_message_id)
    return answer
  }

  #account(): Promise<Answer> {
    const client = this.#random.pick(this.#clients)
    return this.#random.pick([
      () => this.#do(client, 'PATCH', '/settings', { [this.#random.pick(SETTINGS)]: this.#truth() }),
      () =>
        this.#do(client, 'PATCH', '/settings', {
          full_name: `Name ${client.userId} ${this.#random.below(9)}`,
        }),
      () =>
        this.#do(client, 'PATCH', '/settings', {
          email_address_visibility: this.#random.pick([1, 2, 3, 4, 5]),
        }),
      () =>
        this.#do(client, 'PATCH', '/settings', {
          timezone: this.#random.pick(['', 'Europe/Berlin', 'Asia/Tokyo']),
        }),
      () =>
        this.#do(client, 'POST', '/users/me/status', {
          ...(this.#truth()
            ? { status_text: this.#random.pick(['', 'away', 'here']) }
            : { emoji_name: this.#random.pick(EMOJI) }),
          ...(this.#random.below(3) === 0 ? { away: this.#truth() } : {}),
        }),
      () =>
        this.#do(this.#owner, 'PATCH', `/users/${this.#random.pick([2, 3, 4, 5, 6, EXTRA])}`, {
          role: this.#random.pick([100, 200, 300, 400, 400, 600]),
        }),
      () =>
        this.#do(this.#owner, 'PATCH', `/users/${this.#random.pick(USERS)}`, {
          full_name: `N ${this.#random.below(99)}`,
        }),
      () => this.#do(this.#owner, 'DELETE', `/users/${EXTRA}`, {}),
      () => this.#do(this.#owner, 'POST', `/users/${EXTRA}/reactivate`, {}),
      () =>
        this.#do(this.#owner, 'PATCH', '/realm', {
          message_edit_history_visibility_policy: this.#random.pick(['all', 'moves', 'none']),
        }),
    ])()
  }

  #profile(): Promise<Answer> {
    const client = this.#random.pick(this.#clients)
    const id = 1 + this.#random.below(4)
    return this.#random.pick([
      () =>
        this.#do(this.#owner, 'POST', '/realm/profile_fields', {
          field_type: 1,
          name: `field ${this.#random.below(99)}`,
        }),
      () =>
        this.#do(this.#owner, 'PATCH', `/realm/profile_fields/${id}`, {
          hint: `hint ${this.#random.below(9)}`,
        }),
      () => this.#do(this.#owner, 'DELETE', `/realm/profile_fields/${id}`, {}),
      () =>
        this.#do(client, 'PATCH', '/users/me/profile_data', {
          data: [{ id, value: `value ${this.#random.below(9)}` }],
        }),
      () => this.#do(client, 'DELETE', '/users/me/profile_data', { data: [id] }),
    ])()
  }

  #presence(): Promise<Answer> {
    const client = this.#random.pick(this.#clients)
    return this.#do(client, 'POST', '/users/me/presence', { status: this.#random.pick(['active', 'idle']) })
  }

  #subscribe(): Promise<Answer> {
    const names = this.#random.some(CHANNELS)
    const principals = this.#truth() ? { principals: this.#random.some(USERS) } : {}
    const client = this.#someone()
    return this.#random.below(5) < 3
      ? this.#do(client, 'POST', '/users/me/subscriptions', {
          subscriptions: names.map((name) => ({ name })),
          ...principals,
          authorization_errors_fatal: false,
          send_new_subscription_messages: this.#random.below(4) === 0,
        })
      : this.#do(client, 'DELETE', '/users/me/subscriptions', {
          subscriptions: [this.#random.pick(CHANNELS)],
          ...principals,
        })
  }

  #muteTopic(): Promise<Answer> {
    const client = this.#random.pick(this.#clients)
    return this.#random.pick([
      () =>
        this.#do(client, 'POST', '/user_topics', {
          stream_id: this.#channelId(),
          topic: this.#topic(),
          visibility_policy: this.#random.below(4),
        }),
      () =>
        this.#do(client, 'PATCH', '/users/me/subscriptions/muted_topics', {
          stream_id: this.#channelId(),
          topic: this.#topic(),
          op: this.#random.pick(['add', 'remove']),
        }),
      () =>
        this.#do(client, 'POST', '/users/me/subscriptions/properties', {
          subscription_data: [{ stream_id: this.#channelId(), property: 'is_muted', value: this.#truth() }],
        }),
      () =>
        this.#do(client, 'PATCH', `/users/me/subscriptions/${this.#channelId()}`, {
          property: 'pin_to_top',
          value: this.#truth(),
        }),
    ])()
  }

  #channel(): Promise<Answer> {
    const path = `/streams/${this.#channelId()}`
    return this.#random.pick([
      () =>
        this.#do(this.#owner, 'PATCH', path, {
          [this.#random.pick(CHANNEL_PERMISSIONS)]: { new: this.#setting() },
        }),
      () =>
        this.#do(this.#owner, 'PATCH', path, {
          is_private: this.#truth(),
          ...(this.#truth() ? { history_public_to_subscribers: this.#truth() } : {}),
        }),
      () => this.#do(this.#owner, 'PATCH', path, { is_web_public: this.#truth() }),
      () => this.#do(this.#owner, 'DELETE', path, {}),
      () => this.#do(this.#owner, 'PATCH', path, { is_archived: false }),
      () => this.#do(this.#owner, 'PATCH', path, { is_archived: false }),
    ])()
  }

  #group(): Promise<Answer> {
    const path = `/user_groups/${FIRST_GROUP}`
    return this.#random.pick([
      () => this.#do(this.#owner, 'POST', `${path}/members`, { add: [this.#random.pick(USERS)] }),
      () => this.#do(this.#owner, 'POST', `${path}/members`, { delete: [this.#random.pick(USERS)] }),
      () => this.#do(this.#owner, 'PATCH', path, { can_mention_group: { new: this.#setting() } }),
      () => this.#do(this.#owner, 'POST', `${path}/deactivate`, {}),
      () => this.#do(this.#owner, 'PATCH', path, { deactivated: false }),
    ])()
  }
}
