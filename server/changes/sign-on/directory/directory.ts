/** The company's directory (LDAP): who a name and a password belong to, and everyone in it. */

import { randomUUID } from 'node:crypto'
import type { Client } from 'ldapts'
import { OverloadError } from '../../../actors/overload-error.ts'
import { type DirectorySettings, issuerOf } from '../../../domain/accounts/directory-settings.ts'
import type { Clock } from '../../../domain/clock.ts'
import {
  type DirectoryPerson,
  filterFor,
  filterForAll,
  readPerson,
  searchedAttributes,
} from './directory-people.ts'
import { DirectoryError } from './directory-error.ts'
import { findMissingGroups, readGroups } from './directory-groups.ts'
import { GroupChains } from './group-chains.ts'
import { withConnection } from './open-connection.ts'

/** Milliseconds for a log-in: a few answers, in less than the 30 s after which routers give up. */
const LOGIN_MS_MAX = 10_000
/** Milliseconds for reading everyone: a hundred thousand entries take some seconds. */
const READ_MS_MAX = 300_000
/** Log-ins at a time, each with a connection: a directory that hangs must not gather requests. */
const LOGINS_MAX = 50
/** Entries of an answer while reading everyone: Active Directory gives 1,000 at most. */
const PAGE_LENGTH = 500
/** Entries that are read: more people than the server is made for. */
const PEOPLE_MAX = 100_000
/** Statuses of a bind that is refused: the password is wrong, missing or expired, or the account is locked or gone. */
const REFUSED: readonly number[] = [19, 32, 48, 49, 50, 53]

/** A person with the groups that have a meaning here; undefined if none has. */
export interface KnownPerson extends DirectoryPerson {
  readonly groups: readonly string[] | undefined
}

/** The directory. Its library is loaded at the first log-in. */
export class Directory {
  readonly settings: DirectorySettings
  readonly #clock: Clock
  #logins = 0

  constructor(settings: DirectorySettings, clock: Clock) {
    this.settings = settings
    this.#clock = clock
  }

  get issuer(): string {
    return issuerOf(this.settings)
  }

  /**
   * The person of a name and a password; undefined if one of them is wrong, or if several people have the name. The
   * person, if there is one, is handed over before the password is tried, so that the guess can be counted.
   */
  async logIn(
    name: string,
    password: string,
    beforeGuess: (person: DirectoryPerson | undefined) => Promise<void>,
  ): Promise<KnownPerson | undefined> {
    // Many directories take a name without a password for nobody in particular, and say that all is well.
    if (name === '' || password === '') return undefined
    return this.#work(async (client) => {
      const filter = await filterFor(this.settings, name)
      const { searchEntries } = await client.search(this.settings.base, {
        filter,
        sizeLimit: 2,
        ...searchedAttributes(this.settings),
      })
      const [entry] = searchEntries.length === 1 ? searchEntries : []
      const person = entry && readPerson(this.settings, entry)
      await beforeGuess(person)
      // A name that nobody has takes as many answers.
      const dn = person?.dn ?? `cn=${randomUUID()},${this.settings.base}`
      if (!(await this.#tryPassword(client, dn, password)) || !person) return undefined
      // As the person, the connection might not see the groups.
      await this.#bindAccount(client)
      return {
        ...person,
        groups: await readGroups(client, this.settings, person, new GroupChains(this.settings)),
      }
    })
  }

  /** Everyone, once each; with groups if they are wanted. Rejects if the directory cannot give all of them. */
  async readPeople(isWanted: (person: DirectoryPerson) => boolean): Promise<KnownPerson[]> {
    return withConnection(this.settings, this.#clock, READ_MS_MAX, async (client) => {
      await this.#bindAccount(client)
      const people = new Map<string, DirectoryPerson>()
      const search = { filter: await filterForAll(this.settings), ...searchedAttributes(this.settings) }
      for await (const { searchEntries } of client.searchPaginated(this.settings.base, {
        ...search,
        paged: { pageSize: PAGE_LENGTH },
      })) {
        for (const entry of searchEntries) {
          const person = readPerson(this.settings, entry)
          people.set(person.subject, person)
        }
        if (people.size > PEOPLE_MAX) throw new DirectoryError(`it has more than ${PEOPLE_MAX} people`)
      }
      const known: KnownPerson[] = []
      const chains = new GroupChains(this.settings)
      for (const person of people.values()) {
        const groups = isWanted(person) ? await readGroups(client, this.settings, person, chains) : undefined
        known.push({ ...person, groups })
      }
      return known
    }).catch((error: unknown) => {
      throw toKnownError(error)
    })
  }

  /** Tries the account that searches and the filter; answers whether anyone was found, and groups that do not exist. */
  async check(): Promise<{ readonly hasPeople: boolean; readonly missingGroups: readonly string[] }> {
    return this.#work(async (client) => {
      const { searchEntries } = await client.search(this.settings.base, {
        filter: await filterForAll(this.settings),
        sizeLimit: 1,
        ...searchedAttributes(this.settings),
      })
      for (const entry of searchEntries) readPerson(this.settings, entry)
      const missingGroups = await findMissingGroups(client, this.settings)
      return { hasPeople: searchEntries.length > 0, missingGroups }
    })
  }

  /** Runs work after a bind of the account that searches; the connection is bound in number and time. */
  async #work<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    if (this.#logins >= LOGINS_MAX) throw new OverloadError('too many log-ins wait for the directory')
    this.#logins++
    try {
      return await withConnection(this.settings, this.#clock, LOGIN_MS_MAX, async (client) => {
        await this.#bindAccount(client)
        return work(client)
      })
    } catch (error) {
      throw toKnownError(error)
    } finally {
      this.#logins--
    }
  }

  async #bindAccount(client: Client): Promise<void> {
    const { account } = this.settings
    if (!account) return
    if (!(await this.#tryPassword(client, account.dn, account.password)))
      throw new DirectoryError('it refuses LDAP_BIND_DN with LDAP_BIND_PASSWORD')
  }

  async #tryPassword(client: Client, dn: string, password: string): Promise<boolean> {
    const { ResultCodeError } = await import('ldapts')
    try {
      await client.bind(dn, password)
      return true
    } catch (error) {
      if (error instanceof ResultCodeError && REFUSED.includes(error.code)) return false
      throw error
    }
  }
}

/** Errors of the API and our own stay; the others may quote what was sent, so only their kind is repeated. */
function toKnownError(error: unknown): unknown {
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown }
  if (error instanceof DirectoryError || error instanceof OverloadError || name === 'ApiError') return error
  const status = typeof code === 'number' || typeof code === 'string' ? ` (${code})` : ''
  return new DirectoryError(`it did not answer as it should${status}`)
}
