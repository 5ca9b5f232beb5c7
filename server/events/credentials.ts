/** Passwords, keys, log-ins and second factors: no client gets these events. */

import { storeOwnAddress } from '../../db/accounts/address-changes.ts'
import { requireProof } from '../../db/accounts/login-proofs.ts'
import { storeLoginSessions } from '../../db/accounts/login-sessions.ts'
import { removeNamedKeys, renewNamedKey, storeNamedKey } from '../../db/accounts/named-keys.ts'
import { storeFactorChange } from '../../db/accounts/second-factors.ts'
import { storeApiKeys, storeNewPassword } from '../../db/accounts/users.ts'
import { AGENT_WRITINGS } from '../domain/accounts/agent-mark.ts'
import { KEY_SCOPES } from '../domain/accounts/named-keys.ts'
import { FACTOR_CHANGES } from '../domain/accounts/second-factors.ts'
import type { CredentialFact } from '../domain/events/credentials.ts'
import { arrayOf, INTEGER, oneOf, orNull, record, STRING } from '../domain/json-schema.ts'
import { REFUSALS } from '../domain/users/refusals.ts'
import { AUDITED_USER, audited } from './audited.ts'
import { type Entries, silent } from './entry.ts'

export const CREDENTIAL_EVENTS: Entries<CredentialFact> = {
  api_keys_changed: silent({
    apply: (state, { userId, keyHashes }) => state.placeApiKeys(userId, keyHashes),
    store(writes, _, { userId, keyHashes, proof }) {
      if (proof) requireProof(writes, userId, proof.reveal())
      storeApiKeys(writes, userId, keyHashes)
    },
    audit: audited(
      ({ userId, keyHashes }) => ({ userId, keyCount: keyHashes.length }),
      record({ user_id: INTEGER, key_count: INTEGER }),
      ({ userId, keyCount }) => ({ user_id: userId, key_count: keyCount }),
    ),
  }),
  named_key_made: silent({
    apply(state, { userId, key }) {
      // Keys of earlier releases are none of agents that logged in.
      const made = { ...key, tokenExpiresAt: key.tokenExpiresAt ?? null }
      state.placeNamedKeys(userId, [...state.namedKeysOf(userId), made])
    },
    store: (writes, _, { userId, key }) => storeNamedKey(writes, userId, key),
    audit: audited(
      ({ userId, key: { id, name, scope, channelId } }) => ({ userId, id, name, scope, channelId }),
      record({
        user_id: INTEGER,
        key_id: STRING,
        name: STRING,
        scope: oneOf(...KEY_SCOPES),
        stream_id: orNull(INTEGER),
      }),
      ({ userId, id, name, scope, channelId }) => ({
        user_id: userId,
        key_id: id,
        name,
        scope,
        stream_id: channelId,
      }),
    ),
  }),
  // Not audited: the key is, and an agent renews it every hour.
  named_key_renewed: silent({
    apply(state, { userId, keyId, keyHash, expiresAt, tokenExpiresAt }) {
      const keys = state
        .namedKeysOf(userId)
        .map((key) => (key.id === keyId ? { ...key, keyHash, expiresAt, tokenExpiresAt } : key))
      state.placeNamedKeys(userId, keys)
    },
    store: (writes, _, event) => renewNamedKey(writes, event),
  }),
  named_keys_ended: silent({
    apply(state, { userId, keyIds }) {
      const left = state.namedKeysOf(userId).filter(({ id }) => !keyIds.includes(id))
      state.placeNamedKeys(userId, left)
    },
    store: (writes, _, { userId, keyIds }) => removeNamedKeys(writes, userId, keyIds),
    audit: audited(
      ({ userId, keyIds }) => ({ userId, keyIds }),
      record({ user_id: INTEGER, key_ids: arrayOf(STRING) }),
      ({ userId, keyIds }) => ({ user_id: userId, key_ids: [...keyIds] }),
    ),
  }),
  login_sessions_changed: silent({
    apply: (state, { userId, sessions }) => state.placeLoginSessions(userId, sessions),
    store(writes, _, { userId, sessions, proof }) {
      if (proof) requireProof(writes, userId, proof.reveal())
      storeLoginSessions(writes, userId, sessions)
    },
    audit: audited(
      ({ userId, sessions }) => ({ userId, sessionCount: sessions.length }),
      record({ user_id: INTEGER, session_count: INTEGER }),
      ({ userId, sessionCount }) => ({ user_id: userId, session_count: sessionCount }),
    ),
  }),
  password_set: silent({
    store: (writes, _, { userId, secrets }) => storeNewPassword(writes, userId, secrets.reveal()),
    audit: AUDITED_USER,
  }),
  second_factors_changed: silent({
    apply(state, { userId, change }) {
      if (change === 'totp_on') state.appUsers = state.appUsers.with([userId])
      else if (change === 'totp_off' || change === 'reset') state.appUsers = state.appUsers.without([userId])
    },
    store: (writes, _, { userId, secrets }) => storeFactorChange(writes, userId, secrets.reveal()),
    audit: audited(
      ({ userId, change }) => ({ userId, change }),
      record({ user_id: INTEGER, change: oneOf(...FACTOR_CHANGES) }),
      ({ userId, change }) => ({ user_id: userId, change }),
    ),
  }),
  access_refused: silent({
    audit: audited(
      ({ refusal, userId, network, operation, count }) => ({ refusal, userId, network, operation, count }),
      record({
        refusal: oneOf(...REFUSALS),
        user_id: orNull(INTEGER),
        network: orNull(STRING),
        operation: orNull(STRING),
        count: INTEGER,
      }),
      ({ userId, ...refused }) => ({ ...refused, user_id: userId }),
    ),
  }),
  agent_wrote: silent({
    audit: audited(
      ({ userId, keyId, program, wrote, channelId, messageId, emojiName, entriesBack }) => ({
        userId,
        keyId,
        program,
        wrote,
        channelId,
        messageId,
        emojiName,
        entriesBack,
      }),
      record({
        user_id: INTEGER,
        key_id: orNull(STRING),
        program: STRING,
        wrote: oneOf(...AGENT_WRITINGS),
        stream_id: orNull(INTEGER),
        message_id: orNull(INTEGER),
        draft_id: orNull(INTEGER),
        emoji_name: orNull(STRING),
      }),
      (part, _, id) => {
        const { userId, keyId, program, wrote, channelId, messageId, emojiName, entriesBack } = part
        const writtenId = entriesBack === undefined ? null : id - entriesBack
        return {
          user_id: userId,
          key_id: keyId,
          program,
          wrote,
          stream_id: channelId,
          message_id: wrote === 'message' ? writtenId : messageId,
          draft_id: wrote === 'draft' ? writtenId : null,
          emoji_name: emojiName ?? null,
        }
      },
    ),
  }),
  // Not audited: the update of the account is.
  own_address: silent({
    store: (writes, _, { userId, step }) => storeOwnAddress(writes, userId, step.reveal()),
  }),
}
