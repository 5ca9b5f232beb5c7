/** Failures of invitations. */

import { badRequest, type ErrorCases, worded } from './error-case.ts'

/** Why an address was not invited, and whether it belongs to a deactivated account. */
export type InvitationProblem = readonly [email: string, reason: string, isDeactivated: boolean]

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
    () => "We weren't able to invite anyone.",
    ({ problems }: { problems: readonly InvitationProblem[] }) => ({
      errors: problems,
      sent_invitations: false,
      license_limit_reached: false,
      daily_limit_reached: false,
    }),
  ),
} satisfies ErrorCases
