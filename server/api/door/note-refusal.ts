/** Notes refusals that an owner may want to know of: wrong passwords, codes and keys, and missing permissions. */

import type { NotedRefusal } from '../../actors/refusals-recorder.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Refusal } from '../../domain/users/refusals.ts'
import type { ErrorName } from '../../errors/api-error.ts'

/** The errors that are noted. Absent and forbidden look alike in others, which are mostly mistakes. */
const REFUSAL_OF: Partial<Record<ErrorName, Refusal>> = {
  PASSWORD_INCORRECT: 'log_in',
  ACCOUNT_DEACTIVATED: 'log_in',
  OWN_PASSWORD_WRONG: 'log_in',
  PASSKEY_REFUSED: 'log_in',
  SECOND_FACTOR_WRONG: 'code',
  OWN_CODE_WRONG: 'code',
  ROLE_REQUIRED: 'permission',
  PERMISSION_MISSING: 'permission',
  BOT_ROLE_TOO_HIGH: 'permission',
  CHANNEL_ADMINISTRATION_FORBIDDEN: 'permission',
  CHANNEL_CONTENT_FORBIDDEN: 'permission',
  DEFAULT_CHANNELS_FORBIDDEN: 'permission',
  EDITING_FORBIDDEN: 'permission',
  EMOJI_OF_OTHERS: 'permission',
  GROUP_FORBIDDEN: 'permission',
  INVITATION_SUBSCRIBING_FORBIDDEN: 'permission',
  MESSAGE_DELETION_FORBIDDEN: 'permission',
  MOVING_FORBIDDEN: 'permission',
  NEW_CONVERSATION_FORBIDDEN: 'permission',
  NEW_TOPIC_FORBIDDEN: 'permission',
  POSTING_FORBIDDEN: 'permission',
  RESOLVING_FORBIDDEN: 'permission',
}

/** A refused request at the door. */
interface RefusedExchange {
  readonly limits: { readonly network: string }
  readonly user?: { readonly id: UserId } | undefined
  readonly claimed: UserId | undefined
}

/** The refusals of a process. */
export interface NotesRefusals {
  readonly refusals: { note(refusal: NotedRefusal): void }
}

/** The errors of the door that are noted: they refuse credentials. Ended sessions and missing keys are nobody's attempt. */
const REFUSED_KEYS: readonly ErrorName[] = [
  'API_KEY_INVALID',
  'ACCOUNT_DEACTIVATED',
  'TICKET_INVALID',
  'WEBHOOK_BOT_REFUSED',
]

/** Notes that the door refused an API key or a ticket. */
export function noteRefusedKey(
  services: NotesRefusals,
  exchange: RefusedExchange,
  errorName: ErrorName,
  operation: NamedOperation | undefined,
): void {
  if (REFUSED_KEYS.includes(errorName)) note(services, exchange, 'key', operation)
}

/** Notes that a provider, or the server after it, did not let a person in. The path of the page has the provider's name. */
export function noteRefusedLogin(
  services: NotesRefusals,
  exchange: RefusedExchange,
  page: NamedOperation,
): void {
  note(services, exchange, 'log_in', page)
}

/** Notes an error that is a refusal. The operation is undefined for a page. */
export function noteRefusal(
  services: NotesRefusals,
  exchange: RefusedExchange,
  errorName: ErrorName,
  operation?: NamedOperation,
): void {
  const refusal = REFUSAL_OF[errorName]
  if (refusal !== undefined) note(services, exchange, refusal, operation)
}

/** The method and the declared path of a request. */
interface NamedOperation {
  readonly method: string
  readonly path: string
}

function note(
  { refusals }: NotesRefusals,
  exchange: RefusedExchange,
  refusal: Refusal,
  operation: NamedOperation | undefined,
): void {
  refusals.note({
    refusal,
    userId: exchange.claimed ?? exchange.user?.id ?? null,
    network: exchange.limits.network,
    operation: operation ? `${operation.method} ${operation.path}` : null,
  })
}
