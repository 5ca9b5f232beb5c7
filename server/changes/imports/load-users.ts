/** Brings people and bots over, and finds the account of each. */

import { findImported, importKey, type ImportKey } from '../../../db/imports/imported-ids.ts'
import { createApiKey, newApiKey } from '../passwords.ts'
import type { Decision } from '../../decisions/decision.ts'
import type { ServerScope } from '../../decisions/scope.ts'
import { decideSystemBot } from '../../decisions/messages/notices.ts'
import { decideNewUser } from '../../decisions/users/create-user.ts'
import { BOT_TYPES, ROLES, type User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { PLAIN_BOT_SETUP } from '../../domain/users/bots.ts'
import { toFullName } from '../../domain/users/full-names.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { ForeignSource, ForeignUser } from './records.ts'
import type { Report } from './report.ts'
import type { ImportTarget } from './target.ts'

/** Users whose keys are looked up together. */
const BATCH = 500
/** An account without an address gets one that leads nowhere (RFC 2606): an administrator may set another one. */
const NOWHERE = 'import.invalid'
/** An organization's own memberships are those of the archive. */
const NO_MEMBERSHIPS = { channelIds: [], groupIds: [], granterId: null, hasDefaultChannels: false } as const

/** The accounts of the product's users. */
export class People {
  readonly #ids = new Map<string, UserId>()
  readonly #target: ImportTarget
  readonly #source: ForeignSource
  readonly #report: Report
  #isKeepingRoles = false

  constructor(target: ImportTarget, source: ForeignSource, report: Report) {
    this.#target = target
    this.#source = source
    this.#report = report
  }

  find(foreignId: string): UserId | undefined {
    return this.#ids.get(foreignId)
  }

  /** The mention of a user in the dialect. */
  mention(foreignId: string): string | undefined {
    const id = this.#ids.get(foreignId)
    return id === undefined ? undefined : `@**${this.#target.state.getUser(id).fullName}|${id}**`
  }

  /** Brings over all users of the lists. */
  async load(isKeepingRoles: boolean): Promise<void> {
    this.#isKeepingRoles = isKeepingRoles
    let batch: ForeignUser[] = []
    for (const user of this.#source.lists.users.values()) {
      batch.push(user)
      if (batch.length < BATCH) continue
      await this.#loadBatch(batch)
      batch = []
    }
    await this.#loadBatch(batch)
  }

  /** Makes deactivated placeholders for users who are in no list, such as guests from other organizations. */
  async ensure(
    wanted: Iterable<{ readonly id: string; readonly name?: string | undefined; readonly isBot?: boolean }>,
  ): Promise<void> {
    const missing = new Map<string, ForeignUser>()
    for (const { id, name, isBot = false } of wanted) {
      if (this.#ids.has(id) || missing.has(id)) continue
      const kind = isBot ? 'bot' : 'member'
      const named = name ?? `Unlisted user ${id}`
      missing.set(id, { id, name: named, email: undefined, kind, isActive: false, timezone: '' })
    }
    if (missing.size > 0) await this.#loadBatch([...missing.values()])
  }

  async #loadBatch(users: readonly ForeignUser[]): Promise<void> {
    const keyOf = ({ id }: ForeignUser) => importKey(this.#source.origin, 'user', id)
    const known = await findImported(this.#target.sql, users.map(keyOf))
    for (const user of users) {
      const key = keyOf(user)
      const id = known.get(key) as UserId | undefined
      if (id !== undefined) this.#report.users.already_imported++
      this.#ids.set(user.id, id ?? (await this.#bring(user, key)))
    }
  }

  async #bring(user: ForeignUser, key: ImportKey): Promise<UserId> {
    const { users } = this.#report
    if (user.isSystem) {
      users.matched++
      const own = await this.#target.change(
        (scope) => decideSystemBot(scope, scope.state.emailHost),
        (bot) => [[key, bot.id]],
      )
      return own.id
    }
    const own = findAccount(this.#target.state, user)
    if (own) {
      users.matched++
      await this.#target.change(
        () => ({ events: [], reply: () => undefined }),
        () => [[key, own.id]],
      )
      return own.id
    }
    const email = hasFreeAddress(this.#target.state, user) ? user.email : undefined
    const isActive = user.isActive && (email !== undefined || user.kind === 'bot')
    users.created++
    if (user.kind === 'bot') users.bots++
    else if (email === undefined) users.placeholders++
    else if (!isActive) users.deactivated++
    const { id } = await this.#target.change(
      (scope) => this.#decide(scope, { ...user, email: email ?? nowhere(this.#source, user), isActive }),
      (made) => [[key, made.id]],
    )
    return id
  }

  /** The type and the owner that a bot has here; without a service that it posts to, it only sends. */
  #botHere({ bot, id }: ForeignUser) {
    const ownerThere = bot?.owner === undefined ? undefined : this.#ids.get(bot.owner)
    const owner = ownerThere === undefined ? undefined : this.#target.state.getUser(ownerThere)
    const botOwnerId = owner?.isActive && owner.botType === null ? owner.id : this.#target.owner.id
    const { service } = bot ?? {}
    if (bot?.type === BOT_TYPES.outgoingWebhook && service)
      // The service learns the new token from the bot's owner.
      return {
        botType: BOT_TYPES.outgoingWebhook,
        botOwnerId,
        service: { ...service, token: createApiKey() },
      }
    if (bot?.type === BOT_TYPES.incomingWebhook) return { botType: BOT_TYPES.incomingWebhook, botOwnerId }
    if (bot && bot.type !== BOT_TYPES.generic)
      this.#report.lose({
        place: undefined,
        reason: 'the type of a bot, which is a plain one here',
        example: id,
      })
    return { botType: BOT_TYPES.generic, botOwnerId }
  }

  #decide(scope: ServerScope, user: ForeignUser & { email: string }): Decision<User> {
    const { email, name, kind, isActive, timezone, role } = user
    const isBot = kind === 'bot'
    const { service, ...bot } = isBot
      ? { service: undefined, ...this.#botHere(user) }
      : { botType: null, botOwnerId: null, service: undefined }
    const decision = decideNewUser(scope, {
      keyHash: newApiKey().keyHash, // Nobody knows it: the first known one is made at a log-in.
      memberships: NO_MEMBERSHIPS,
      ...(service ? { setup: { ...PLAIN_BOT_SETUP, service } } : {}),
      user: {
        email,
        fullName: toFullName(name) ?? 'Imported user',
        role:
          this.#isKeepingRoles && role && !isBot
            ? ROLES[role]
            : kind === 'guest'
              ? ROLES.guest
              : ROLES.member,
        isActive,
        ...bot,
        timezone: isTimezone(timezone) ? timezone : '',
        joinedAt: scope.now,
        avatarVersion: 1,
      },
    })
    if (isBot) return decision
    // They join at their first log-in.
    return {
      ...decision,
      events: [...decision.events, { type: 'login_awaited', userId: scope.state.nextUserId }],
    }
  }
}

/** The account here of a user of the archive: it has the same address. */
export function findAccount(
  state: OrganizationState,
  user: Pick<ForeignUser, 'email' | 'kind' | 'bot'>,
): User | undefined {
  const there = user.email === undefined ? undefined : state.findUserByEmail(user.email)
  return there && isSame(there, user) ? there : undefined
}

/** Whether a user has an address that no account here has. */
export function hasFreeAddress(state: OrganizationState, { email }: Pick<ForeignUser, 'email'>): boolean {
  return email !== undefined && state.findUserByEmail(email) === undefined
}

/** Bots of other products have no addresses of their own, and nobody is the server's own bot. */
function isSame({ botType, isSystem }: User, user: Pick<ForeignUser, 'kind' | 'bot'>): boolean {
  return botType === null ? user.kind !== 'bot' : user.bot !== undefined && !isSystem
}

function nowhere({ origin }: ForeignSource, { id }: ForeignUser): string {
  return `${origin}-${importKey(origin, id).slice(0, 13)}@${NOWHERE}`
}

function isTimezone(name: string): boolean {
  try {
    return name !== '' && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
