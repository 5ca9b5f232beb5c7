/** `POST`, `DELETE` and `GET /realm/icon` and `/realm/logo`: the pictures of the organization. */

import { IMAGE_ERRORS, makePicture } from '../../../changes/pictures/make-picture.ts'
import { checkAdministrator } from '../../../decisions/check-caller.ts'
import { decideOrganizationPicture } from '../../../decisions/organization/change-organization.ts'
import { STRING } from '../../../domain/json-schema.ts'
import { ORGANIZATION_PICTURE_MIB_MAX } from '../../../domain/limits.ts'
import type { OrganizationPicture } from '../../../domain/organization/organization-pictures.ts'
import { organizationPictureUrl } from '../../../views/organization-pictures-view.ts'
import { change } from '../../change-operation.ts'
import { operation, RedirectReply } from '../../operation.ts'
import { boolean, required } from '../../params.ts'
import type { Services } from '../../services.ts'

const night = required(boolean(), 'Whether it is the logo for dark themes.')
const iconReply = { icon_url: { schema: STRING, description: 'The address of the icon.' } }
const file = { description: 'The image.', mibMax: ORGANIZATION_PICTURE_MIB_MAX }
const FORMATS =
  'From a PNG, JPEG, GIF or WebP, for administrators. Clients show it wherever they show the organization.'

const logoOf = (isNight: boolean): OrganizationPicture => (isNight ? 'nightLogo' : 'logo')
const urlOf = ({ state }: Services, which: OrganizationPicture) =>
  organizationPictureUrl(state.pictures, which)

export const setIcon = change({
  method: 'POST',
  path: '/realm/icon',
  summary: 'Set the icon of the organization',
  description: `${FORMATS} It is cropped to the square in its middle.`,
  access: 'user',
  file,
  params: {},
  reply: iconReply,
  errors: ['ICON_COUNT', 'ROLE_REQUIRED', ...IMAGE_ERRORS],
  events: ['realm/picture'],
  async prepare({ user, files, services, fail }) {
    // Checked before the slow image processing, and again by the decision.
    checkAdministrator({ caller: user, fail })
    const [icon] = files
    if (!icon || files.length > 1) throw fail('ICON_COUNT')
    const { id } = await makePicture(services, { kind: 'icon', file: icon, userId: user.id }, fail)
    return { which: 'icon' as const, pictureId: id }
  },
  decide: decideOrganizationPicture,
  answer: (_, { services }) => ({ icon_url: urlOf(services, 'icon') }),
})

export const removeIcon = change({
  method: 'DELETE',
  path: '/realm/icon',
  summary: 'Remove the icon of the organization',
  description: "The server's own replaces it. For administrators.",
  access: 'user',
  params: {},
  reply: iconReply,
  errors: ['ROLE_REQUIRED'],
  events: ['realm/picture'],
  prepare: () => ({ which: 'icon' as const, pictureId: null }),
  decide: decideOrganizationPicture,
  answer: (_, { services }) => ({ icon_url: urlOf(services, 'icon') }),
})

export const getIcon = operation({
  method: 'GET',
  path: '/realm/icon',
  summary: 'Get the icon of the organization',
  description: 'Redirects to the picture.',
  access: 'anyone',
  params: {},
  reply: {},
  errors: [],
  events: [],
  run: ({ services }) => new RedirectReply(urlOf(services, 'icon')),
})

export const setLogo = change({
  method: 'POST',
  path: '/realm/logo',
  summary: 'Set the logo of the organization',
  description: `${FORMATS} It is scaled down to 800 by 100 pixels.`,
  access: 'user',
  file,
  params: { night },
  reply: {},
  errors: ['LOGO_COUNT', 'ROLE_REQUIRED', ...IMAGE_ERRORS],
  events: ['realm/picture'],
  async prepare({ user, params, files, services, fail }) {
    checkAdministrator({ caller: user, fail })
    const [logo] = files
    if (!logo || files.length > 1) throw fail('LOGO_COUNT')
    const { id } = await makePicture(services, { kind: 'logo', file: logo, userId: user.id }, fail)
    return { which: logoOf(params.night), pictureId: id }
  },
  decide: decideOrganizationPicture,
})

export const removeLogo = change({
  method: 'DELETE',
  path: '/realm/logo',
  summary: 'Remove the logo of the organization',
  description: 'For administrators.',
  access: 'user',
  params: { night },
  reply: {},
  errors: ['ROLE_REQUIRED'],
  events: ['realm/picture'],
  prepare: ({ params }) => ({ which: logoOf(params.night), pictureId: null }),
  decide: decideOrganizationPicture,
})

export const getLogo = operation({
  method: 'GET',
  path: '/realm/logo',
  summary: 'Get the logo of the organization',
  description:
    'Redirects to the picture: to the other logo or the icon, if the organization does not have it.',
  access: 'anyone',
  params: { night },
  reply: {},
  errors: [],
  events: [],
  run({ params, services }) {
    const wanted = [logoOf(params.night), logoOf(!params.night)].map((which) => urlOf(services, which))
    return new RedirectReply(wanted.find((url) => url !== '') ?? urlOf(services, 'icon'))
  },
})
