/** The address of a private PostgreSQL: one user and one database, on a unix socket in its own folder. */

/** The user that owns the database. */
export const USER = 'parley'
export const DATABASE = 'parley'
/** Only a part of the socket's name: nothing listens on TCP. */
export const PORT = 5432

/** A private server's address in libpq's form, in which `?host=` names the socket's folder. */
export function formatAddress(socketFolder: string, port: number): string {
  return `postgres://${USER}@localhost:${port}/${DATABASE}?host=${encodeURIComponent(socketFolder)}`
}
