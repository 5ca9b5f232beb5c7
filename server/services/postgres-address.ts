/** Where a private PostgreSQL is reached: one user and one database, on a unix socket in a folder of its own. */

/** The user that owns the database. */
export const USER = 'parley'
export const DATABASE = 'parley'
/** Only part of the socket's name: nothing listens on TCP. */
export const PORT = 5432

/** The address of a private server in libpq's form, where `?host=` names the folder of the socket. */
export function formatAddress(socketFolder: string, port: number): string {
  return `postgres://${USER}@localhost:${port}/${DATABASE}?host=${encodeURIComponent(socketFolder)}`
}
