/** Making the organization with its owner and first channels, in one commit. */

import { ROLES, type User } from '../../domain/entities.ts'
import type { Fact, NewEvent } from '../../domain/events.ts'
import { overlay } from '../../events/apply-event.ts'
import type { WantedChannel } from '../channels/find-targets.ts'
import { PLAIN_CHANNEL } from '../channels/new-channel.ts'
import { decideSubscribe, type SUBSCRIBE_ERRORS } from '../channels/subscribe-users.ts'
import { answering, type Decision } from '../decision.ts'
import type { Scope, ServerScope } from '../scope.ts'
import { decideNewUser } from '../users/create-user.ts'
import { firstPassword } from '../users/new-account.ts'
import { changeOrganization } from './change-organization.ts'
import { decideNewOrganization } from './create-organization.ts'

/** An organization as its owner sets it up; everything in it is checked. */
export interface SetupRequest {
  readonly name: string
  readonly owner: {
    readonly email: string
    readonly fullName: string
    /** The hash of a key that nobody knows. */
    readonly keyHash: string
    readonly passwordHash: string
  }
  /** Everyone who joins is subscribed to them. */
  readonly channels: readonly WantedChannel[]
  /** Whether people who open an invitation link make their account without a mail that confirms the address. */
  readonly joinsWithoutConfirmation: boolean
  /** The language of new users, and of notices. */
  readonly defaultLanguage: string
}

type SetupScope = ServerScope & Pick<Scope<(typeof SUBSCRIBE_ERRORS)[number]>, 'fail'>

/** Makes the organization; answers its owner. Throws a `ChangeRefused` if there is one already. */
export function decideSetup(
  scope: SetupScope,
  { name, owner, channels, joinsWithoutConfirmation, defaultLanguage }: SetupRequest,
): Decision<User> {
  const { now } = scope
  const facts: (Fact | NewEvent)[] = []
  /** The scope after the facts so far. */
  const later = () => ({ ...scope, state: overlay(scope.state, facts.map(factOf)) })
  const texts = { name, description: '', renderedDescription: '' }
  facts.push(...decideNewOrganization(scope, { ...texts, createdAt: now }).events)
  facts.push(...changeOrganization(later(), { settings: { joinsWithoutConfirmation, defaultLanguage } }))
  const { email, fullName, keyHash, passwordHash } = owner
  const user = {
    email,
    fullName,
    role: ROLES.owner,
    isActive: true,
    botType: null,
    botOwnerId: null,
    timezone: '',
    joinedAt: now,
    avatarVersion: 1,
  }
  const made = decideNewUser(later(), { user, keyHash })
  const caller = made.reply(scope.state.appliedId)
  facts.push(...made.events, firstPassword(caller.id, passwordHash))
  if (channels.length > 0) {
    const joining = decideSubscribe(
      { ...later(), caller },
      {
        principals: undefined,
        wanted: channels,
        newChannel: { ...PLAIN_CHANNEL, isDefault: true },
        isUnauthorizedFatal: true,
      },
    )
    facts.push(...joining.events)
  }
  return answering(caller, facts)
}

function factOf(one: Fact | NewEvent) {
  return 'audience' in one ? one.event : one
}
