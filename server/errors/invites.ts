/** Failures of invitations. */

import { badRequest, type ErrorCases, worded } from './error-case.ts'

/** Why an address was not invited, and whether it belongs to a deactivated account. */
export type InvitationProblem = readonly [email: string, reason: string, isDeactivated: boolean]

/** Invitations that were not sent, and whether others were. */
interface FailedInvitations {
  readonly problems: readonly InvitationProblem[]
  readonly reason: keyof typeof INVITATION_FAILURES
}

const INVITATION_FAILURES = {
  nobody: "We weren't able to invite anyone.",
  others_invited: 'Some of these addresses were not invited. All others were.',
  daily_limit:
    'Nobody was invited: too many invitations were sent by mail today. Use a link, or try again tomorrow.',
} as const

export const INVITE_ERRORS = {
  INVITATION_UNKNOWN: badRequest('No such invitation'),
  INVITATION_CHANNEL_UNKNOWN: badRequest(
    ({ id }: { id: number }) => `Invalid channel ID ${id}. No invites were sent.`,
  ),
  INVITATION_SUBSCRIBING_FORBIDDEN: badRequest(
    'You do not have permission to subscribe other users to channels.',
  ),
  TOO_MANY_INVITATIONS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many invitations (maximum ${countMax}).`,
  ),
  INVITEES_MISSING: badRequest('You must specify at least one email address.'),
  INVITATION_FAILED: worded(
    400,
    'INVITATION_FAILED',
    ({ reason }: FailedInvitations) => INVITATION_FAILURES[reason] ?? INVITATION_FAILURES.nobody,
    ({ problems, reason }: FailedInvitations) => ({
      errors: problems,
      sent_invitations: reason === 'others_invited',
      license_limit_reached: false,
      daily_limit_reached: reason === 'daily_limit',
    }),
  ),
} satisfies ErrorCases
