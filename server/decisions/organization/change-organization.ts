/** Changes of the organization itself. */

import type { OrganizationChange } from '../../domain/events/organization.ts'
import { type Decided, type Decision, done } from '../decision.ts'
import type { Scope, ServerScope } from '../scope.ts'
import { updateFullMembers } from '../users/change-roles.ts'
import type { OrganizationPicture } from '../../domain/organization/organization-pictures.ts'
import type { PictureId } from '../../domain/files/pictures.ts'
import { checkAdministrator } from '../check-caller.ts'

/** One event for the properties that really change, and the facts that follow. */
export function changeOrganization(scope: ServerScope, change: OrganizationChange): Decided[] {
  const { organization } = scope.state
  if (!organization) throw new Error('there is no organization to change')
  const { name, description, renderedDescription, settings = {}, permissions = {} } = change
  const isDescribedAnew = description !== undefined && description !== organization.description
  const changes = {
    ...(name === undefined ? {} : keepChanged({ name }, organization)),
    ...(isDescribedAnew ? { description, renderedDescription } : {}),
    ...nonEmpty('settings', keepChanged(settings, organization.settings)),
    ...nonEmpty('permissions', permissions),
  } as OrganizationChange
  if (Object.keys(changes).length === 0) return []
  const { waitingPeriodDays } = changes.settings ?? {}
  return [
    { type: 'realm/update_dict', changes },
    ...(waitingPeriodDays === undefined ? [] : updateFullMembers(scope, waitingPeriodDays)),
  ]
}

function keepChanged<Whole extends object>(given: Partial<Whole>, present: Whole): Partial<Whole> {
  const changed = Object.entries(given).filter(([name, value]) => value !== present[name as keyof Whole])
  return Object.fromEntries(changed) as Partial<Whole>
}

function nonEmpty(name: string, part: object): object {
  return Object.keys(part).length === 0 ? {} : { [name]: part }
}

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
