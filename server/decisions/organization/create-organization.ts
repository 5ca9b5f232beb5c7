/** Making the one organization of a server. */

import type { Organization } from '../../domain/entities.ts'
import {
  ORGANIZATION_SETTINGS_DEFAULTS,
  type OrganizationSettings,
} from '../../domain/organization/organization-settings.ts'
import { completePermissions, ORGANIZATION_PERMISSIONS } from '../../domain/groups/permissions.ts'
import { ChangeRefused } from '../../errors/change-refused.ts'
import { type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'

/** An organization, as the command has it; missing settings get their defaults. */
export interface NewOrganizationRequest extends Omit<Organization, 'settings' | 'permissions'> {
  readonly settings?: Partial<OrganizationSettings>
}

/** Makes the organization; a server has one. Throws a `ChangeRefused`. */
export function decideNewOrganization(
  { state }: Pick<ServerScope, 'state'>,
  { settings, ...texts }: NewOrganizationRequest,
): Decision<void> {
  if (state.organization)
    throw new ChangeRefused(`this server already has an organization: ${state.organization.name}`)
  const organization: Organization = {
    ...texts,
    settings: { ...ORGANIZATION_SETTINGS_DEFAULTS, ...settings },
    permissions: completePermissions(ORGANIZATION_PERMISSIONS, {}, null),
  }
  return done([{ type: 'organization_created', organization }])
}
