/** The passkeys of the caller. */

import { readPasskeys, renamePasskey } from '../../../../db/accounts/passkeys.ts'
import { removeOwnPasskey } from '../../../changes/users/change-factors.ts'
import { arrayOf, BOOLEAN, INTEGER, mapOf, orNull, record, STRING } from '../../../domain/json-schema.ts'
import { operation } from '../../operation.ts'
import { optional, required, text } from '../../params.ts'
import { beginEnrolment, completeEnrolment } from '../../passkeys.ts'
import { PROOF_ERRORS, PROOF_PARAMS, proveCaller } from '../../prove-caller.ts'
import { enrolmentType, passkeyNameType } from './passkey-params.ts'

/** Characters of a passkey's id. */
const ID_LENGTH_MAX = 36
const PASSKEY_ID = required(text({ lengthMax: ID_LENGTH_MAX }), 'The id of the passkey.')
const PASSKEY = record({
  id: STRING,
  name: STRING,
  is_synced: BOOLEAN,
  created_at: INTEGER,
  last_used_at: orNull(INTEGER),
})

export const getOwnPasskeys = operation({
  method: 'GET',
  path: '/users/me/passkeys',
  summary: 'Get own passkeys',
  description: 'Only the user themselves sees these.',
  access: 'user',
  needsNoFactor: true,
  params: {},
  reply: {
    passkeys: {
      schema: arrayOf(PASSKEY),
      description:
        'The passkeys, the oldest first: `is_synced` says whether their provider copies them to other devices; ' +
        'times are UNIX seconds.',
    },
  },
  errors: [],
  events: [],
  async run({ user, services: { sql } }) {
    const rows = await readPasskeys(sql, user.id)
    return {
      passkeys: rows.map(({ id, name, isSynced, createdAt, usedAt }) => ({
        id,
        name,
        is_synced: isSynced,
        created_at: createdAt,
        last_used_at: usedAt,
      })),
    }
  },
})

export const beginOwnPasskey = operation({
  method: 'POST',
  path: '/users/me/passkeys/options',
  summary: 'Begin to add a passkey',
  description:
    'Answers the options of WebAuthn with which a browser makes a passkey. Their challenge is for the session or ' +
    'API key of the request alone, once and for five minutes.',
  access: 'user',
  needsNoFactor: true,
  passwordParam: 'password',
  params: PROOF_PARAMS,
  reply: {
    options: {
      schema: mapOf<unknown>({}),
      description: 'The options, for `PublicKeyCredential.parseCreationOptionsFromJSON`.',
    },
  },
  errors: [...PROOF_ERRORS, 'PASSKEYS_UNAVAILABLE', 'TOO_MANY_PASSKEYS'],
  events: [],
  async run({ user, visit, params, keyHash, services, fail }) {
    await proveCaller(services, { user, visit, params }, fail)
    return { options: { ...(await beginEnrolment(services, user, keyHash, fail)) } }
  },
})

export const addOwnPasskey = operation({
  method: 'POST',
  path: '/users/me/passkeys',
  summary: 'Add a passkey',
  description: 'The passkey logs its user in without a password and code. A user has 20 at most.',
  access: 'user',
  needsNoFactor: true,
  params: {
    credential: required(enrolmentType, 'The answer of the browser, as its `toJSON` has it.'),
    name: optional(passkeyNameType, 'A name; by default that of the browser.'),
  },
  reply: { id: { schema: STRING, description: 'The id of the passkey.' } },
  errors: ['BOT_REFUSED', 'PASSKEYS_UNAVAILABLE', 'PASSKEY_NOT_ADDED'],
  events: ['second_factors_changed'],
  async run({ user, params, keyHash, userAgent, services, fail }) {
    if (user.botType !== null) throw fail('BOT_REFUSED')
    const { credential: answer, name } = params
    return { id: await completeEnrolment(services, { user, keyHash, answer, name, userAgent }, fail) }
  },
})

export const renameOwnPasskey = operation({
  method: 'PATCH',
  path: '/users/me/passkeys/{passkey_id}',
  summary: 'Rename a passkey',
  access: 'user',
  needsNoFactor: true,
  params: { passkey_id: PASSKEY_ID, name: required(passkeyNameType, 'The name.') },
  reply: {},
  errors: ['PASSKEY_UNKNOWN'],
  events: [],
  async run({ user, params, services: { sql }, fail }) {
    if (!(await renamePasskey(sql, user.id, params.passkey_id, params.name))) throw fail('PASSKEY_UNKNOWN')
    return {}
  },
})

export const removePasskey = operation({
  method: 'DELETE',
  path: '/users/me/passkeys/{passkey_id}',
  summary: 'Remove a passkey',
  description: 'Sessions that it began stay.',
  access: 'user',
  needsNoFactor: true,
  passwordParam: 'password',
  params: { passkey_id: PASSKEY_ID, ...PROOF_PARAMS },
  reply: {},
  errors: [...PROOF_ERRORS, 'PASSKEY_UNKNOWN'],
  events: ['second_factors_changed'],
  async run({ user, visit, params, services, fail }) {
    await proveCaller(services, { user, visit, params }, fail)
    await removeOwnPasskey(services, user, params.passkey_id, fail)
    return {}
  },
})
