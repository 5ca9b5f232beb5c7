/** Why the tables refuse a change of invitations. */

/** A user has reached the limit of invitations of one form. */
export class TooManyInvitationsError extends Error {
  override readonly name = 'TooManyInvitationsError'
  readonly countMax: number

  constructor(countMax: number) {
    super(`a user has ${countMax} invitations`)
    this.countMax = countMax
  }
}

/** An invitation does not exist any more. */
export class MissingInvitationError extends Error {
  override readonly name = 'MissingInvitationError'
}

/** A user, or the whole organization, has sent as many invitations by mail as one may in a day. */
export class DailyInvitationsError extends Error {
  override readonly name = 'DailyInvitationsError'
}
