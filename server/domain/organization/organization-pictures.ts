/** The pictures of the organization: its icon, and its wide logo for light and for dark themes. */

import type { PictureId } from '../files/pictures.ts'

export const ORGANIZATION_PICTURES = ['icon', 'logo', 'nightLogo'] as const
export type OrganizationPicture = (typeof ORGANIZATION_PICTURES)[number]

/** The uploaded pictures; null for those of the server. */
export type OrganizationPictures = Readonly<Record<OrganizationPicture, PictureId | null>>

export const NO_PICTURES: OrganizationPictures = { icon: null, logo: null, nightLogo: null }
