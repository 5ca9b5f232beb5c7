/** `POST /users`. */

import { storePasswordHash } from '../../../../db/users.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import { isEmailAddress, readStandInAddress } from '../../../domain/email-addresses.ts'
import { ROLES } from '../../../domain/entities.ts'
import {
  countCodePoints,
  EMAIL_LENGTH_MAX,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from '../../../domain/limits.ts'
import { createUser as createUserChange } from '../../changes/change-users.ts'
import { checkUniqueName } from '../../check-unique-name.ts'
import { checkEmailDomain, EMAIL_DOMAIN_ERRORS } from '../../check-email-domain.ts'
import { checkFullName, FULL_NAME_ERRORS, FULL_NAME_MEANING, fullNameType } from '../../full-name-param.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'
import { createApiKey } from '../../passwords.ts'
import { INTEGER } from '../../reply-schemas.ts'
import { requireAdministrator } from '../../require-role.ts'

export const createUser = operation({
  method: 'POST',
  path: '/users',
  summary: 'Create a user',
  description:
    'For administrators. The new member is subscribed to the default channels, and logs in with the password.',
  access: 'user',
  params: {
    email: required(text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }), 'The email address.'),
    password: required(text({ lengthMax: PASSWORD_LENGTH_MAX }), 'The password, of 8 characters at least.'),
    full_name: required(fullNameType, FULL_NAME_MEANING),
  },
  reply: { user_id: { schema: INTEGER, description: "The new user's id." } },
  errors: [
    'ROLE_REQUIRED',
    'EMAIL_INVALID',
    'EMAIL_TAKEN',
    'PASSWORD_TOO_WEAK',
    ...FULL_NAME_ERRORS,
    ...EMAIL_DOMAIN_ERRORS,
    'FULL_NAME_TAKEN',
  ],
  events: [
    'realm_user/add',
    'user_status',
    'user_group/add_members',
    'subscription/peer_add',
    'api_keys_changed',
    'login_awaited',
  ],
  async run({ user, params: { email, password, full_name: fullName }, services, fail }) {
    // Asked before a hash is made, which takes its time; and again when it is decided.
    requireAdministrator(user, fail)
    if (!isEmailAddress(email)) throw fail('EMAIL_INVALID')
    checkEmailDomain(email, services.state, fail)
    checkFullName(fullName, fail)
    if (countCodePoints(password) < PASSWORD_LENGTH_MIN) throw fail('PASSWORD_TOO_WEAK')
    const hash = await services.passwords.hash(password)
    const joining = {
      email,
      fullName,
      role: ROLES.member,
      isActive: true,
      botType: null,
      botOwnerId: null,
      timezone: '',
      joinedAt: nowSeconds(services.clock),
      avatarVersion: 1,
    }
    // Nobody knows this key: the first that is known comes with a log-in.
    const change = createUserChange(joining, createApiKey())
    const { id } = await services.committer.submit({
      kind: 'structure',
      decide(state) {
        requireAdministrator(state.getUser(user.id), fail)
        // An address that stands for somebody else may be nobody's own.
        const isStandIn = readStandInAddress(email, state.emailHost) !== undefined
        checkEmailDomain(email, state, fail)
        if (isStandIn || state.findUserByEmail(email)) throw fail('EMAIL_TAKEN', { email })
        checkUniqueName(fullName, undefined, state, fail)
        const decision = change.decide(state)
        const awaited = { type: 'login_awaited', userId: state.nextUserId } as const
        const events = [...decision.events, { event: awaited, audience: { kind: 'nobody' } } as const]
        return { ...decision, events }
      },
    })
    await storePasswordHash(services.sql, id, hash)
    return { user_id: id }
  },
})
