/** Account changes that tests submit without a request. */

import type { Change } from '../../../server/actors/committer.ts'
import { hashApiKey } from '../../../server/changes/passwords.ts'
import { type Decision, done } from '../../../server/decisions/decision.ts'
import {
  decideNewOrganization,
  type NewOrganizationRequest,
} from '../../../server/decisions/organization/create-organization.ts'
import type { ServerScope } from '../../../server/decisions/scope.ts'
import * as keys from '../../../server/decisions/users/change-api-keys.ts'
import { decideNewUser, type NewUserRequest } from '../../../server/decisions/users/create-user.ts'
import { decideDeactivationByOperator } from '../../../server/decisions/users/deactivate-user.ts'
import { nowSeconds, systemClock } from '../../../server/domain/clock.ts'
import type { User } from '../../../server/domain/entities.ts'
import type { UserId } from '../../../server/domain/ids.ts'

function changeOf<Result>(decide: (scope: ServerScope) => Decision<Result>): Change<Result> {
  return { kind: 'structure', decide: (state) => decide({ state, now: nowSeconds(systemClock) }) }
}

export function createOrganization(request: NewOrganizationRequest): Change<void> {
  return changeOf((scope) => decideNewOrganization(scope, request))
}

/** Creates a user with one key; returns both. */
export function createUser(user: NewUserRequest['user'], apiKey: string): Change<User> {
  return changeOf((scope) => decideNewUser(scope, { user, keyHash: hashApiKey(apiKey) }))
}

export function deactivateUser(userId: UserId): Change<void> {
  return changeOf((scope) => decideDeactivationByOperator(scope, { userId }))
}

/** Adds a key to a user. */
export function addApiKey(userId: UserId, key: string): Change<void> {
  return changeOf((scope) => done(keys.addApiKey(scope, { userId, keyHash: hashApiKey(key) })))
}

/** Makes a key the only one of a user. */
export function rotateApiKeys(userId: UserId, key: string): Change<void> {
  return changeOf((scope) => done(keys.rotateApiKeys(scope, { userId, keyHash: hashApiKey(key) })))
}
