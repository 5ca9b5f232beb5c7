/** The buttons of the page on the security of an account. */

import { renamePasskey } from '../../../db/accounts/passkeys.ts'
import { findTotpStart } from '../../../db/accounts/second-factors.ts'
import { checkPassword, checkSecondFactor } from '../../api/check-password.ts'
import { endOtherSessions, openCheckedSession } from '../../api/log-in-session.ts'
import { passkeyNameType } from '../../api/operations/passkeys.ts'
import type { Services } from '../../api/services.ts'
import {
  disableTotp,
  enableTotp,
  removeOwnPasskey,
  renewRecoveryCodes,
  startTotp,
} from '../../changes/users/change-factors.ts'
import { endSessions } from '../../changes/users/login-sessions.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { User } from '../../domain/entities.ts'
import type { FoundSession } from '../../domain/accounts/login-sessions.ts'
import { CODE_LENGTH_MAX, TOTP_START_SECONDS_MAX, type Totp } from '../../domain/accounts/second-factors.ts'
import { fail } from '../../errors/api-error.ts'
import type { FormRequest } from './serve-form.ts'

/** A press of a button. */
export interface Press extends FormRequest {
  readonly services: Services
  readonly user: User
  readonly session: FoundSession
}

/** The next page: the same again, a secret for an app, or new recovery codes. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'secret'; readonly totp: Totp }
  | { readonly kind: 'codes'; readonly codes: readonly string[] }

/** A button. */
export interface Action {
  /** Whether the session must have just begun. */
  readonly needsProof?: true
  run(press: Press): Promise<Outcome | void>
}

const DONE: Outcome = { kind: 'done' }

/** The buttons by the value that they send. */
export const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  [
    'confirm',
    {
      async run({ services, user, exchange, fields, userAgent }) {
        const login = { username: user.email, password: fields.get('password') ?? '' }
        const checked = await checkPassword(services, exchange, login, fail)
        await checkSecondFactor(services, checked, codeOf(fields), fail)
        await openCheckedSession(services, exchange, { ...checked, userAgent }, fail)
      },
    },
  ],
  [
    'totp-start',
    {
      needsProof: true,
      run: async ({ services, user }) => ({ kind: 'secret', totp: await startTotp(services, user, fail) }),
    },
  ],
  [
    'totp-confirm',
    {
      async run({ services, user, exchange, fields }) {
        const codes = await enableTotp(services, user, codeOf(fields), fail)
        await endOtherSessions(services, exchange, user)
        return { kind: 'codes', codes }
      },
    },
  ],
  ['totp-end', { needsProof: true, run: ({ services, user }) => disableTotp(services, user, fail) }],
  [
    'codes-renew',
    {
      needsProof: true,
      run: async ({ services, user }) => ({
        kind: 'codes',
        codes: await renewRecoveryCodes(services, user, fail),
      }),
    },
  ],
  [
    'passkey-rename',
    {
      async run({ services: { sql }, user, fields }) {
        const name = passkeyNameType.check(fields.get('name') ?? '', 'name')
        if (!(await renamePasskey(sql, user.id, idOf(fields), name))) throw fail('PASSKEY_UNKNOWN')
      },
    },
  ],
  [
    'passkey-remove',
    {
      needsProof: true,
      run: ({ services, user, fields }) => removeOwnPasskey(services, user, idOf(fields), fail),
    },
  ],
  [
    'sessions-end',
    {
      run: ({ services, user, session }) =>
        endSessions(services, user.id, ({ id }) => id !== session.id, user.id),
    },
  ],
])

/** Runs a button; an unknown one does nothing. */
export async function press(name: string, given: Press): Promise<Outcome> {
  return (await ACTIONS.get(name)?.run(given)) ?? DONE
}

/** The secret that awaits its first code, to show it again after a wrong one. */
export async function findStartedTotp({ services, user }: Press): Promise<Totp | undefined> {
  const { sql, clock } = services
  return findTotpStart(sql, user.id, nowSeconds(clock) - TOTP_START_SECONDS_MAX)
}

function codeOf(fields: ReadonlyMap<string, string>): string {
  return (fields.get('code') ?? '').slice(0, CODE_LENGTH_MAX)
}

function idOf(fields: ReadonlyMap<string, string>): string {
  return (fields.get('id') ?? '').slice(0, 36)
}
