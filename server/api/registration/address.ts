/** The address of the organization, under both of its names. */

import { STRING } from '../../domain/json-schema.ts'

/** In registrations and in `GET /server_settings`. */
export const ADDRESS_FIELDS = {
  realm_url: { schema: STRING, description: 'The address of the organization.' },
  realm_uri: { schema: STRING, description: 'The same, under its older name.' },
} as const

/** The values of these fields. */
export function viewAddress(publicUrl: string) {
  return { realm_url: publicUrl, realm_uri: publicUrl }
}
