/** The one way by which an identity provider of the company says who somebody is: address, name, role, groups. */

import { type GroupRules, hasGroupRules, NO_GROUP_RULES } from '../../domain/accounts/group-rules.ts'
import type { UserId } from '../../domain/ids.ts'
import { decideIdentity } from '../../decisions/users/apply-identity.ts'
import type { Passwords } from '../passwords.ts'
import type { Sending } from '../sending.ts'
import { submitForServer } from '../submit.ts'
import { findAccount } from './find-account.ts'
import type { Admittance, FoundAccount } from './found-account.ts'
import type { ProviderAccount } from '../../../db/accounts/login-links.ts'

/** A person, as a provider describes them. */
export interface Identity extends ProviderAccount {
  /** An address that the provider vouches for. */
  readonly email: string | undefined
  readonly fullName: string | undefined
  /** The names or ids of all their groups; undefined if it names none, or not all: then roles and groups stay. */
  readonly groups?: readonly string[] | undefined
}

/** The rules by which an identity becomes an account. */
export interface IdentityRules extends Admittance {
  readonly groupRules?: GroupRules | undefined
  /** Whether the account gets the provider's name each time, and not only when it is made. */
  readonly updatesName?: boolean | undefined
}

/** The services that apply identities. `onWarning` gets a sentence for the operator's log. */
export type ApplyingServices = Sending & {
  readonly passwords: Passwords
  readonly onWarning: (message: string) => void
}

/** Finds or makes the account of a person, then gives it the role and the groups that the rules name. */
export async function applyIdentity(
  services: ApplyingServices,
  identity: Identity,
  rules: IdentityRules,
): Promise<FoundAccount> {
  const account = await findAccount(services, identity, rules)
  if (account.kind !== 'found') return account
  if (hasGroupRules(rules.groupRules ?? NO_GROUP_RULES) && identity.groups === undefined)
    services.onWarning(`${identity.issuer} does not list the groups of a person: their role and groups stay`)
  const { id } = account.user
  await updateByIdentity(services, id, identity, rules)
  return { kind: 'found', user: services.state.getUser(id) }
}

/** Gives an existing account the name, the role and the groups of a person at the provider. */
export async function updateByIdentity(
  services: Pick<ApplyingServices, 'committer' | 'clock' | 'onWarning'>,
  userId: UserId,
  { fullName, groups }: Pick<Identity, 'fullName' | 'groups'>,
  { groupRules = NO_GROUP_RULES, updatesName = false }: Pick<IdentityRules, 'groupRules' | 'updatesName'>,
): Promise<void> {
  const request = {
    userId,
    fullName: updatesName ? fullName : undefined,
    groups: hasGroupRules(groupRules) ? groups : undefined,
    rules: groupRules,
  }
  if (request.fullName === undefined && request.groups === undefined) return
  const unapplied = await submitForServer(services, (scope) => decideIdentity(scope, request))
  if (unapplied.isLastOwner)
    services.onWarning(`user ${userId} is the last owner, and keeps that role whatever the provider says`)
  for (const name of unapplied.missingGroups)
    services.onWarning(`there is no user group '${name}', which the rules for the provider's groups name`)
}
