/** The secrets with which the server signs addresses; see `docs/keys.md`. */

import { randomBytes } from 'node:crypto'
import type { Sql, Transaction } from '../connection/connect.ts'

/** Bytes of a secret: as many as the hash that signs has. */
const SECRET_BYTES = 32

/**
 * The secret of all addresses and cookies that open something, shared by all processes. They read it each time: a
 * rotation then applies at once.
 */
export async function readAddressSecret(sql: Sql): Promise<Buffer> {
  const [row] = await sql<{ secret: Buffer }[]>`select secret from upload_secrets`
  return row?.secret ?? missing()
}

/** The secret of drawn pictures, whose content is in their address: it only bounds what the server draws. */
export async function readPictureSecret(sql: Sql): Promise<Buffer> {
  const [row] = await sql<{ secret: Buffer }[]>`select picture_secret as secret from upload_secrets`
  return row?.secret ?? missing()
}

/** Replaces the secret of addresses. */
export async function rotateAddressSecret(sql: Sql): Promise<void> {
  await sql`update upload_secrets set secret = ${randomBytes(SECRET_BYTES)}`
}

/** Replaces both for a restored database: the backup has the former ones. */
export async function renewSigningSecrets(tx: Transaction): Promise<void> {
  await tx`
    update upload_secrets
    set secret = ${randomBytes(SECRET_BYTES)}, picture_secret = ${randomBytes(SECRET_BYTES)}`
}

function missing(): never {
  throw new Error('the secrets of addresses are missing: the database is not migrated')
}
