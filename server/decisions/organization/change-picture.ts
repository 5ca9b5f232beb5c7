/** Changes a picture of the organization. */

import type { OrganizationPicture } from '../../domain/organization/organization-pictures.ts'
import type { PictureId } from '../../domain/files/pictures.ts'
import { checkAdministrator } from '../check-caller.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'

/** A new picture. */
export interface OrganizationPictureRequest {
  readonly which: OrganizationPicture
  /** Null for that of the server. */
  readonly pictureId: PictureId | null
}

/** Changes a picture of the organization, for administrators. */
export function decideOrganizationPicture(
  scope: Scope<'ROLE_REQUIRED'>,
  { which, pictureId }: OrganizationPictureRequest,
): Decision<void> {
  checkAdministrator(scope)
  if (scope.state.pictures[which] === pictureId) return done([])
  return done([{ type: 'realm/picture', which, pictureId }])
}
