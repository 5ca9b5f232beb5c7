/** Parses the arguments of the admin command line; checks everything that needs no database. */

import { type AuditCommand, parseAudit } from './parse-audit.ts'
import { type KeyKind, parseKeyKinds } from './rotate-keys.ts'
import type { ImportRequest } from '../changes/imports/run-import.ts'
import type { GivenContents } from './export-to-file.ts'
import { UsageError } from './usage-error.ts'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { isEmailAddress } from '../domain/users/email-addresses.ts'
import { ROLES, type RoleName } from '../domain/entities.ts'
import { FULL_NAME_LENGTH_MAX } from '../../packages/rules/limits.ts'
import { countCodePoints } from '../../packages/rules/count-code-points.ts'
import {
  CHANNEL_NAME_LENGTH_MAX,
  EMAIL_LENGTH_MAX,
  INVITATION_CHANNELS_MAX,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from '../domain/limits.ts'

/** Unicode code points; the limit of a person's name. */
const ORGANIZATION_NAME_LENGTH_MAX = FULL_NAME_LENGTH_MAX
/** Unicode code points; the default of this API family. */
const ORGANIZATION_DESCRIPTION_LENGTH_MAX = 1_000

/** A parsed command. */
export type Command =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'user create'
      readonly email: string
      readonly name: string
      readonly role: RoleName
      /** Whether the first line of the standard input is the password. */
      readonly readsPassword: boolean
      /** The address of the bot's owner; undefined for a person. */
      readonly botOwner: string | undefined
    }
  | {
      readonly kind: 'user invite'
      readonly email: string
      readonly role: RoleName
      /** Undefined for the default channels. */
      readonly channels: readonly string[] | undefined
      /** The address of the inviter; undefined for an owner. */
      readonly by: string | undefined
    }
  | { readonly kind: 'user list' }
  | { readonly kind: 'user deactivate'; readonly email: string }
  | { readonly kind: 'user rotate-key'; readonly email: string }
  | { readonly kind: 'user end-sessions'; readonly email: string }
  | { readonly kind: 'user reset-factors'; readonly email: string }
  | { readonly kind: 'user set-role'; readonly email: string; readonly role: RoleName }
  | AuditCommand
  | SyncCommand
  | { readonly kind: 'scim token' }
  | { readonly kind: 'scim off' }
  | { readonly kind: 'user set-password'; readonly email: string }
  | { readonly kind: 'keys rotate'; readonly kinds: readonly KeyKind[] }
  | { readonly kind: 'organization create'; readonly name: string; readonly description: string }
  /** Prints a link by which people set up the organization. */
  | { readonly kind: 'organization create'; readonly isByLink: true }
  | DataCommand
  | MoveCommand
  | ImportCommand

/** Brings the history of another product over. */
export interface ImportCommand extends ImportRequest {
  readonly kind: 'import'
  /** Whether it only says what would come. */
  readonly isDry: boolean
  /** A file for the whole report. */
  readonly reportPath: string | undefined
}

/** Brings accounts up to the company's directory. */
export interface SyncCommand {
  readonly kind: 'ldap sync'
  /** Whether it only says what it would do. */
  readonly isDry: boolean
  /** Whether any number of people may have left. */
  readonly deactivatesMany: boolean
}

/** Moves all files. */
export interface MoveCommand {
  readonly kind: 'files move'
  readonly to: 'store' | 'folder'
  /** Whether the originals stay. */
  readonly keepsOriginals: boolean
}

/** A command on all data; `path` is a file, or `-` for the standard output or input. */
export type DataCommand =
  | { readonly kind: 'backup'; readonly path: string }
  | { readonly kind: 'restore'; readonly path: string; readonly isReplacing: boolean }
  | { readonly kind: 'check' }
  /** Compares two exports. */
  | { readonly kind: 'compare'; readonly path: string; readonly otherPath: string }
  | { readonly kind: 'export'; readonly path: string; readonly contents: GivenContents }

/** Whether it is a command on all data. */
export function isDataCommand(command: Command): command is DataCommand {
  return ['backup', 'restore', 'check', 'compare', 'export'].includes(command.kind)
}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const IMPORT_OPTIONS = {
  'dry-run': flag,
  'keep-roles': flag,
  json: text,
  channel: { ...text, multiple: true },
} as const
const OPTIONS = {
  'user create': {
    email: text,
    name: text,
    role: text,
    password: text,
    'password-stdin': flag,
    bot: flag,
    owner: text,
  },
  'user invite': { role: text, channels: text, by: text },
  'user list': {},
  'user deactivate': { email: text },
  'user rotate-key': { email: text },
  'user end-sessions': { email: text },
  'user reset-factors': { email: text },
  'user set-role': { email: text, role: text },
  'user set-password': { email: text, password: text, 'password-stdin': flag },
  'scim token': {},
  'scim off': {},
  'ldap sync': { 'dry-run': flag, 'deactivate-many': flag },
  'keys rotate': { only: text },
  'organization create': { name: text, description: text, 'instead-of-demo': flag },
  'files move': { to: text, keep: flag },
  'import slack': { ...IMPORT_OPTIONS, 'fetch-files': flag },
  'import mattermost': IMPORT_OPTIONS,
  'import rocket-chat': IMPORT_OPTIONS,
  'import discord': { ...IMPORT_OPTIONS, 'fetch-files': flag },
  'import zulip': { ...IMPORT_OPTIONS, 'keep-settings': flag },
  'import parley': { ...IMPORT_OPTIONS, 'keep-settings': flag },
  backup: {},
  restore: { replace: flag },
  check: { export: text, with: text },
  export: { public: flag, consented: flag, person: text, channel: text, hold: text },
  'audit list': { user: text, kind: text, since: text, until: text, before: text, limit: text },
} satisfies Record<string, ParseArgsConfig['options']>

/** Parses the arguments; throws a `UsageError` that names the first wrong one. */
export function parseCommand(args: readonly string[]): Command {
  if (args.includes('--help') || args.includes('-h')) return { kind: 'help' }
  const { kind, words } = parseKind(args)
  const hasPaths = words === 1 || kind === 'user invite' || kind.startsWith('import ')
  const { values, lists, paths } = readOptions(args.slice(words), OPTIONS[kind], hasPaths)
  switch (kind) {
    case 'user create':
      return {
        kind,
        email: parseEmail('--email', values.get('email')),
        name: parseName(values.get('name'), FULL_NAME_LENGTH_MAX),
        role: parseRole(values.get('role')),
        readsPassword: parsePasswordFlag(values),
        botOwner: parseBotOwner(values.has('bot'), values.get('owner')),
      }
    case 'user invite':
      return {
        kind,
        email: parseInvited(paths),
        role: values.has('role') ? parseRole(values.get('role')) : 'member',
        channels: values.has('channels') ? parseChannels(values.get('channels')) : undefined,
        by: values.has('by') ? parseEmail('--by', values.get('by')) : undefined,
      }
    case 'user list':
    case 'scim token':
    case 'scim off':
      return { kind }
    case 'user deactivate':
    case 'user rotate-key':
    case 'user end-sessions':
    case 'user reset-factors':
      return { kind, email: parseEmail('--email', values.get('email')) }
    case 'user set-role':
      return {
        kind,
        email: parseEmail('--email', values.get('email')),
        role: parseRole(values.get('role')),
      }
    case 'audit list':
      return parseAudit(values)
    case 'ldap sync':
      return { kind, isDry: values.has('dry-run'), deactivatesMany: values.has('deactivate-many') }
    case 'keys rotate':
      return { kind, kinds: parseKeyKinds(values.get('only')) }
    case 'user set-password':
      refusePassword(values)
      return { kind, email: parseEmail('--email', values.get('email')) }
    case 'organization create':
      if (values.has('instead-of-demo')) return parseLinkCommand(values)
      return {
        kind,
        name: parseName(values.get('name'), ORGANIZATION_NAME_LENGTH_MAX),
        description: parseDescription(values.get('description')),
      }
    case 'files move':
      return { kind, to: parsePlace(values.get('to')), keepsOriginals: values.has('keep') }
    case 'import slack':
    case 'import mattermost':
    case 'import rocket-chat':
    case 'import discord':
    case 'import zulip':
    case 'import parley':
      return parseImport(kind, paths, values, lists.get('channel') ?? [])
    case 'backup':
      return { kind, path: parsePath(paths) }
    case 'export':
      return { kind, path: parsePath(paths), contents: parseContents(values) }
    case 'check':
      if (paths[0] !== undefined) throw new UsageError(`check takes no FILE: ${paths[0]}`)
      return parseCheck(values.get('export'), values.get('with'))
    case 'restore':
      return { kind, path: parsePath(paths), isReplacing: values.has('replace') }
  }
}

/** The command, of one word or two. */
function parseKind(args: readonly string[]): { readonly kind: keyof typeof OPTIONS; readonly words: number } {
  const [first = ''] = args
  const words = isCommand(first) ? 1 : 2
  const kind = args.slice(0, words).join(' ')
  if (isCommand(kind)) return { kind, words }
  const known = Object.keys(OPTIONS).join(', ')
  throw new UsageError(
    kind === '' ? `no command given: use one of ${known}` : `unknown command '${kind}': use one of ${known}`,
  )
}

function isCommand(kind: string): kind is keyof typeof OPTIONS {
  return Object.hasOwn(OPTIONS, kind)
}

/**
 * The values by option, where a flag has an empty value; the lists of options that may be repeated; and the other arguments
 * of commands that take some.
 */
function readOptions(args: string[], options: NonNullable<ParseArgsConfig['options']>, hasPaths: boolean) {
  const values = new Map<string, string>()
  const lists = new Map<string, string[]>()
  const paths: string[] = []
  try {
    const { tokens } = parseArgs({ args, options, tokens: true, allowPositionals: hasPaths })
    for (const token of tokens) {
      if (token.kind === 'positional') paths.push(token.value)
      if (token.kind !== 'option') continue
      if (options[token.name]?.multiple) {
        lists.set(token.name, [...(lists.get(token.name) ?? []), token.value ?? ''])
        continue
      }
      if (values.has(token.name)) throw new UsageError(`${token.rawName} is given twice`)
      values.set(token.name, token.value ?? '')
    }
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')) throw error
    // The rest of the message is advice about arguments that start with a dash.
    const [sentence = ''] = (error as Error).message.split(/\.? *\n|\. /)
    throw new UsageError(sentence)
  }
  return { values, lists, paths }
}

function parseLinkCommand(values: ReadonlyMap<string, string>): Command {
  const other = ['name', 'description'].find((option) => values.has(option))
  if (other !== undefined)
    throw new UsageError(`--instead-of-demo cannot be used with --${other}: people enter it at the link`)
  return { kind: 'organization create', isByLink: true }
}

function parsePath([path, ...others]: readonly string[]): string {
  if (path === undefined || path === '') throw new UsageError('the FILE is missing')
  if (others.length > 0) throw new UsageError(`only one FILE is allowed, not also ${others[0]}`)
  return path
}

/** An operator gets everything by default. */
function parseContents(values: ReadonlyMap<string, string>): GivenContents {
  const [first, second] = ['public', 'consented', 'person', 'channel', 'hold'].filter((option) =>
    values.has(option),
  )
  if (second !== undefined) throw new UsageError(`--${first} cannot be used with --${second}`)
  if (first === 'person') return { address: parseEmail('--person', values.get('person')) }
  const holdName = values.get('hold')?.trim()
  if (holdName === '') throw new UsageError('--hold must be the name of a legal hold')
  if (holdName !== undefined) return { holdName }
  const channel = values.get('channel')?.trim()
  if (channel === '') throw new UsageError('--channel must be the name of a channel')
  if (channel !== undefined) return { channel }
  return first === 'public' || first === 'consented' ? first : 'everything'
}

/** Of the server, or of two exports. */
function parseCheck(path: string | undefined, otherPath: string | undefined): DataCommand {
  if (path === undefined && otherPath === undefined) return { kind: 'check' }
  if (!path) throw new UsageError('--export must be the path of an export')
  if (!otherPath) throw new UsageError('--with must be the path of another export')
  return { kind: 'compare', path, otherPath }
}

function parseImport(
  kind: `import ${ImportCommand['product']}`,
  paths: readonly string[],
  values: ReadonlyMap<string, string>,
  channels: readonly string[],
): ImportCommand {
  const reportPath = values.get('json')
  if (reportPath === '') throw new UsageError('--json must be the path of a file')
  return {
    kind: 'import',
    product: kind.slice('import '.length) as ImportCommand['product'],
    path: parsePath(paths),
    isDry: values.has('dry-run'),
    isFetching: values.has('fetch-files'),
    isKeepingRoles: values.has('keep-roles'),
    isKeepingSettings: values.has('keep-settings'),
    chosenNames: parseChosenNames(channels),
    reportPath,
  }
}

/** Each `THERE=HERE`; names of other products have no equals sign, so the first one counts. */
function parseChosenNames(given: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const pair of given) {
    const at = pair.indexOf('=')
    const [there, here] = [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()]
    if (there === '' || here === '') throw new UsageError('--channel must be NAME_THERE=NAME_HERE')
    if (names.has(there)) throw new UsageError(`--channel names ${there} twice`)
    if (countCodePoints(here) > CHANNEL_NAME_LENGTH_MAX)
      throw new UsageError(`--channel has a name of more than ${CHANNEL_NAME_LENGTH_MAX} characters`)
    names.set(there, here)
  }
  return names
}

function parseEmail(option: string, given: string | undefined): string {
  if (given === undefined) throw new UsageError(`${option} is missing`)
  const email = given.trim()
  if (email.length > EMAIL_LENGTH_MAX)
    throw new UsageError(`${option} is longer than ${EMAIL_LENGTH_MAX} characters`)
  if (!isEmailAddress(email))
    throw new UsageError(`${option} must be an email address such as name@example.com`)
  return email
}

function parseInvited([email, ...others]: readonly string[]): string {
  if (email === undefined) throw new UsageError('the ADDRESS is missing')
  if (others.length > 0) throw new UsageError(`only one ADDRESS is allowed, not also ${others[0]}`)
  return parseEmail('the ADDRESS', email)
}

function parseChannels(given = ''): readonly string[] {
  const names = given.split(',').map((name) => name.trim())
  if (names.includes('')) throw new UsageError('--channels must be names separated by commas')
  if (names.length > INVITATION_CHANNELS_MAX)
    throw new UsageError(`--channels has more than ${INVITATION_CHANNELS_MAX} names`)
  return names
}

function parseName(given: string | undefined, lengthMax: number): string {
  if (given === undefined) throw new UsageError('--name is missing')
  const name = given.trim()
  if (name === '') throw new UsageError('--name must not be empty')
  if (countCodePoints(name) > lengthMax) throw new UsageError(`--name is longer than ${lengthMax} characters`)
  if (/[\p{Cc}\p{Cs}\p{Cn}]/u.test(name)) throw new UsageError('--name has an invisible character')
  return name
}

function parseRole(given: string | undefined): RoleName {
  const names = Object.keys(ROLES)
  if (given === undefined) throw new UsageError(`--role is missing: one of ${names.join(', ')}`)
  if (!names.includes(given)) throw new UsageError(`--role must be one of ${names.join(', ')}`)
  return given as RoleName
}

/** Throws for a password among the arguments, which every user of the machine can list. */
function refusePassword(values: ReadonlyMap<string, string>): void {
  if (values.has('password'))
    throw new UsageError(
      'process lists show --password: use --password-stdin, and give the password as the first line of the standard input',
    )
}

function parsePasswordFlag(values: ReadonlyMap<string, string>): boolean {
  refusePassword(values)
  const readsPassword = values.has('password-stdin')
  if (readsPassword && values.has('bot')) throw new UsageError('a bot has no password: omit --password-stdin')
  return readsPassword
}

/** The password of a line of the standard input; throws a `UsageError` for one of an invalid length. */
export function checkLength(given: string): string {
  const length = countCodePoints(given)
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX) {
    throw new UsageError(
      `the password on the standard input must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`,
    )
  }
  return given
}

function parseBotOwner(isBot: boolean, owner: string | undefined): string | undefined {
  if (!isBot && owner !== undefined) throw new UsageError('--owner is for bots: add --bot')
  return isBot ? parseEmail('--owner', owner) : undefined
}

function parsePlace(given: string | undefined): MoveCommand['to'] {
  if (given === undefined) throw new UsageError('--to is missing: store or folder')
  if (given !== 'store' && given !== 'folder') throw new UsageError('--to must be store or folder')
  return given
}

function parseDescription(given = ''): string {
  const description = given.trim()
  if (countCodePoints(description) > ORGANIZATION_DESCRIPTION_LENGTH_MAX) {
    throw new UsageError(`--description is longer than ${ORGANIZATION_DESCRIPTION_LENGTH_MAX} characters`)
  }
  return description
}
