/** The pictures of the organization for clients: the address of each, and whether it was uploaded. */

import { oneOf, record, STRING, type ValueOf } from '../domain/json-schema.ts'
import type {
  OrganizationPicture,
  OrganizationPictures,
} from '../domain/organization/organization-pictures.ts'
import { organizationPicturePath } from '../domain/files/pictures.ts'

/** The address of the server's own icon. It has no logo: clients show theirs. */
export const DEFAULT_ICON_URL = '/static/images/organization.png'

/** `U` for an uploaded picture; the other letter is the API family's for its default. */
const ICON_SOURCE = oneOf('G', 'U')
const LOGO_SOURCE = oneOf('D', 'U')

/** Schemas of the fields, which come in pairs. */
export const PICTURE_FIELDS = {
  icon_url: STRING,
  icon_source: ICON_SOURCE,
  logo_url: STRING,
  logo_source: LOGO_SOURCE,
  night_logo_url: STRING,
  night_logo_source: LOGO_SOURCE,
}
const PICTURE_CHANGE = record({}, PICTURE_FIELDS)

/** The name of each picture for clients. */
export const PICTURE_NAMES = { icon: 'icon', logo: 'logo', nightLogo: 'night_logo' } as const

/** The address of a picture; empty for a logo that the organization does not have. */
export function organizationPictureUrl(pictures: OrganizationPictures, which: OrganizationPicture): string {
  const id = pictures[which]
  if (id !== null) return organizationPicturePath(id, which === 'icon' ? 'icon' : 'logo')
  return which === 'icon' ? DEFAULT_ICON_URL : ''
}

/** The two fields of one picture. */
export function viewOrganizationPicture(
  pictures: OrganizationPictures,
  which: OrganizationPicture,
): ValueOf<typeof PICTURE_CHANGE> {
  const name = PICTURE_NAMES[which]
  const byDefault = which === 'icon' ? 'G' : 'D'
  return {
    [`${name}_url`]: organizationPictureUrl(pictures, which),
    [`${name}_source`]: pictures[which] === null ? byDefault : 'U',
  }
}
