/** The events of the demo organization, from the same decisions as the API. */

import { notify } from '../events/notify.ts'
import type { Transaction } from '../../db/connection/connect.ts'
import { openConversation } from '../../db/unread/conversations.ts'
import { renderMarkdown } from '../../workers/pool/render-markdown.ts'
import { type Decision, done } from '../decisions/decision.ts'
import { hashApiKey } from '../changes/passwords.ts'
import { decideNewOrganization } from '../decisions/organization/create-organization.ts'
import { decideNewUser } from '../decisions/users/create-user.ts'
import type { ServerScope } from '../decisions/scope.ts'
import { PLAIN_CHANNEL } from '../decisions/channels/new-channel.ts'
import { decideSubscribe } from '../decisions/channels/subscribe-users.ts'
import { fail } from '../errors/api-error.ts'
import { findNamedChannel } from '../decisions/messages/channel-target.ts'
import { findRecipients } from '../decisions/messages/recipients.ts'
import { BOT_TYPES, ROLES, type User } from '../domain/entities.ts'
import type { NewEvent } from '../domain/events.ts'
import type { MessageSent } from '../domain/events/messages.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import { applyEvent } from '../events/apply-event.ts'
import { OrganizationState } from '../state/organization-state.ts'
import { CHANNELS, MESSAGES, ORGANIZATION, USERS } from './demo-content.ts'

/** The credentials of an account. */
export interface DemoAccount {
  readonly email: string
  readonly full_name: string
  readonly role: string
  /** Null for a bot. */
  readonly password: string | null
  readonly api_key: string
}

/** The whole demo as events from the first id on; the transaction creates its conversations. */
export async function draftDemo(
  tx: Transaction,
  accounts: readonly DemoAccount[],
  nowSeconds: number,
): Promise<{ events: readonly NewEvent[]; userIds: readonly UserId[] }> {
  const draft = new Draft(nowSeconds)
  const { description } = ORGANIZATION
  const renderedDescription = renderMarkdown(description)
  const organization = { ...ORGANIZATION, renderedDescription, createdAt: nowSeconds }
  draft.decide((scope) => decideNewOrganization(scope, organization))
  const people = draftPeople(draft, accounts)
  draftChannels(draft, people)
  for (const message of MESSAGES) await draftMessage(tx, draft, people, message)
  return { events: draft.events, userIds: people.ids }
}

/** The users of the demo by their short names. */
class People {
  readonly #users = new Map<string, User>()

  add(name: string, user: User): void {
    this.#users.set(name, user)
  }

  get(name: string): User {
    const user = this.#users.get(name)
    if (!user) throw new Error(`the demo has no user ${name}`)
    return user
  }

  get ids(): readonly UserId[] {
    return [...this.#users.values()].map(({ id }) => id)
  }
}

function draftPeople(draft: Draft, accounts: readonly DemoAccount[]): People {
  const people = new People()
  for (const [index, { name, fullName, role, owner }] of USERS.entries()) {
    const { email, api_key } = accounts[index] as DemoAccount
    const newUser: Omit<User, 'id' | 'isSystem'> = {
      email,
      fullName,
      role: ROLES[role],
      isActive: true,
      botType: owner === undefined ? null : BOT_TYPES.generic,
      botOwnerId: owner === undefined ? null : people.get(owner).id,
      timezone: '',
      joinedAt: draft.now,
      avatarVersion: 1,
    }
    const request = { user: newUser, keyHash: hashApiKey(api_key) }
    people.add(
      name,
      draft.decide((scope) => decideNewUser(scope, request)),
    )
  }
  return people
}

function draftChannels(draft: Draft, people: People): void {
  for (const { name, description, isPrivate, subscribers } of CHANNELS) {
    const scope = { state: draft.state, caller: people.get('owner'), now: draft.now, fail }
    draft.add(
      decideSubscribe(scope, {
        principals: subscribers.map((subscriber) => people.get(subscriber).id),
        wanted: [{ name, description, renderedDescription: renderMarkdown(description), color: undefined }],
        newChannel: { ...PLAIN_CHANNEL, isPrivate },
        isUnauthorizedFatal: true,
      }),
    )
  }
}

async function draftMessage(
  tx: Transaction,
  draft: Draft,
  people: People,
  { from, to, content }: (typeof MESSAGES)[number],
): Promise<void> {
  const sender = people.get(from)
  const scope = { state: draft.state, caller: sender, fail }
  const common = {
    type: 'message',
    senderId: sender.id,
    content,
    rendered: renderMarkdown(content),
    sentAt: draft.now,
    client: 'demo',
    readById: sender.id,
    queueId: null,
    localId: null,
  } as const
  if ('channel' in to) {
    const { channel } = findNamedChannel(scope, [to.channel])
    draft.send({ ...common, channelId: channel.id, conversationId: null, userIds: null, topic: to.topic })
    return
  }
  const partners = findRecipients(
    scope,
    to.partners.map((name) => people.get(name).id),
  )
  const userIds = partners.map(({ id }) => id).sort((a, b) => a - b)
  const conversationId = await openConversation(tx, userIds)
  draft.send({ ...common, channelId: null, conversationId, userIds, topic: '' })
}

/** Events that are decided one after another but not committed yet, on the state of an empty database. */
class Draft {
  readonly state = new OrganizationState()
  readonly events: NewEvent[] = []
  /** UNIX seconds. */
  readonly now: number

  constructor(now: number) {
    this.now = now
  }

  decide<Result>(decide: (scope: ServerScope) => Decision<Result>): Result {
    return this.add(decide(this))
  }

  send(message: MessageSent): void {
    this.add(done([message]))
  }

  add<Result>(decision: Decision<Result>): Result {
    const firstId = (this.state.appliedId + 1) as EventId
    for (const event of notify(this.state, decision.events).entries) {
      applyEvent(this.state, { ...event, id: (this.state.appliedId + 1) as EventId })
      this.events.push(event)
    }
    return decision.reply(firstId)
  }
}
