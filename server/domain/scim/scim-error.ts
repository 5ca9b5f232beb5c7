/** A refusal in the form of SCIM (RFC 7644, 3.12). */

/** The content type of all bodies. */
export const SCIM_TYPE = 'application/scim+json'

/** Why a request with the status 400 or 409 failed, in the words of the standard. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'tooMany'
  | 'uniqueness'

export class ScimError extends Error {
  override readonly name = 'ScimError'
  readonly status: number
  readonly scimType: ScimType | undefined

  /** The message is the `detail` for the provider's operator. */
  constructor(status: number, message: string, scimType?: ScimType) {
    super(message)
    this.status = status
    this.scimType = scimType
  }
}

/** A change was decided on a state or a row that has changed since. Its request starts again. */
export class StaleScimError extends Error {
  override readonly name = 'StaleScimError'
}

/** A request that makes no sense, with the status 400. */
export function refuse(scimType: ScimType, message: string): ScimError {
  return new ScimError(400, message, scimType)
}
