/** Changes the address of a user and confirms it as the link of the mail does, without a mail server. */

import { storeAddressToken } from '../../../db/accounts/address-changes.ts'
import { newApiKey } from '../../../server/changes/passwords.ts'
import { addressUrl } from '../../../server/changes/users/confirm-address.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import type { Client, Fields } from '../client/client.ts'
import type { TestServer } from '../servers/start-server.ts'
import { type ShownPage, submitForm } from '../browser/visit-page.ts'

/** Asks for an address with `PATCH /settings`, and confirms it; the client uses the new one from then on. */
export async function changeAddress(
  server: Pick<TestServer, 'node'>,
  client: Client,
  email: string,
  fields: Fields = {},
): Promise<void> {
  await client.must('PATCH', '/settings', { email, ...fields })
  const { status } = await confirmAddress(server, client.userId, email.trim())
  if (status !== 200) throw new Error(`the confirmation was answered with ${status}`)
  client.email = email.trim()
}

/** Submits the page that confirms the address for which a user asked. */
export async function confirmAddress(
  { node: { services, url } }: Pick<TestServer, 'node'>,
  userId: number,
  email: string,
): Promise<ShownPage> {
  const { apiKey, keyHash } = newApiKey()
  if (!(await storeAddressToken(services.sql, userId as UserId, email, keyHash)))
    throw new Error('the user did not ask for this address')
  return submitForm(addressUrl(url, apiKey))
}
