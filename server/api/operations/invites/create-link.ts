/** `POST /invites/multiuse`: creates a link with which people create their own accounts. */

import { TooManyInvitationsError } from '../../../../db/accounts/invitation-errors.ts'
import { createApiKey } from '../../../changes/passwords.ts'
import { decideNewInvitation } from '../../../decisions/invitations/change-invitations.ts'
import { INVITATION_ERRORS } from '../../../decisions/invitations/check-invitation.ts'
import { STRING } from '../../../domain/json-schema.ts'
import { Secret } from '../../../domain/secret.ts'
import { change } from '../../change-operation.ts'
import { invitationUrl } from '../../../changes/invitations/join-by-invitation.ts'
import { defaulted } from '../../params.ts'
import { channelIdsType, INVITATION_PARAMS, readInvitationParams } from './invitation-params.ts'

export const createInvitationLink = change({
  method: 'POST',
  path: '/invites/multiuse',
  summary: 'Create a reusable invitation link',
  description:
    'Any visitor of the link can create an account. The link ends when it expires or is revoked, and when its ' +
    'author is deactivated or may no longer invite people with that role. Creating links needs a permission of ' +
    'the organization.',
  access: 'user',
  params: {
    ...INVITATION_PARAMS,
    stream_ids: defaulted(
      channelIdsType,
      [],
      'Channels to which new users are subscribed; the caller needs the permission to subscribe others to each.',
    ),
  },
  reply: { invite_link: { schema: STRING, description: 'The link.' } },
  errors: [...INVITATION_ERRORS, 'TOO_MANY_INVITATIONS'],
  events: ['invites_changed'],
  prepare: ({ params, services }) => ({
    ...readInvitationParams(params, services),
    key: new Secret(createApiKey()),
  }),
  decide: decideNewInvitation,
  explain: (error, { fail }) =>
    error instanceof TooManyInvitationsError ? fail('TOO_MANY_INVITATIONS', error) : undefined,
  answer: (_, { services }, { key }) => ({ invite_link: invitationUrl(services.publicUrl, key.reveal()) }),
})
