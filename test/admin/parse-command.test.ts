import t from 'tap'
import { parseCommand } from '../../server/admin/parse-command.ts'
import { UsageError } from '../../server/admin/usage-error.ts'

const user = ['user', 'create', '--email', 'ann@example.com', '--name', 'Ann', '--role', 'member']

t.test('[CLI1] arguments are parsed into a command and trimmed', async (t) => {
  t.strictSame(
    parseCommand(['user', 'create', '--email', ' a.b+c@example.com ', '--name', ' Ann B ', '--role=owner']),
    {
      kind: 'user create',
      email: 'a.b+c@example.com',
      name: 'Ann B',
      role: 'owner',
      readsPassword: false,
      botOwner: undefined,
    },
  )
  t.match(parseCommand([...user, '--bot', '--owner', 'b@c.de']), { readsPassword: false, botOwner: 'b@c.de' })
  t.match(parseCommand([...user, '--password-stdin']), { readsPassword: true })
  t.strictSame(parseCommand(['user', 'list']), { kind: 'user list' })
  t.match(
    parseCommand(['import', 'slack', 'a.zip', '--channel', 'a = b=c', '--channel', `d=${'x'.repeat(60)}`]),
    {
      chosenNames: new Map([
        ['a', 'b=c'],
        ['d', 'x'.repeat(60)],
      ]),
    },
  )
  t.strictSame(parseCommand(['user', 'deactivate', '--email', 'a@b.c']), {
    kind: 'user deactivate',
    email: 'a@b.c',
  })
  t.strictSame(parseCommand(['user', 'set-password', '--email', 'a@b.c']), {
    kind: 'user set-password',
    email: 'a@b.c',
  })
  t.strictSame(parseCommand(['organization', 'create', '--name', '𝒳'.repeat(100)]), {
    kind: 'organization create',
    name: '𝒳'.repeat(100),
    description: '',
  })
  t.strictSame(parseCommand(['organization', 'create', '--instead-of-demo']), {
    kind: 'organization create',
    isByLink: true,
  })
  t.strictSame(parseCommand(['user', 'set-role', '--email', 'a@b.c', '--role', 'guest']), {
    kind: 'user set-role',
    email: 'a@b.c',
    role: 'guest',
  })
  t.strictSame(parseCommand(['files', 'move', '--to', 'store']), {
    kind: 'files move',
    to: 'store',
    keepsOriginals: false,
  })
  t.match(parseCommand(['files', 'move', '--keep', '--to=folder']), { to: 'folder', keepsOriginals: true })
  t.strictSame(parseCommand(['backup', 'a.tar.zst']), { kind: 'backup', path: 'a.tar.zst' })
  t.strictSame(parseCommand(['restore', '-', '--replace']), {
    kind: 'restore',
    path: '-',
    isReplacing: true,
  })
  const kinds = ['addresses', 'invitations', 'api-keys', 'bot-keys', 'sessions', 'links', 'push', 'scim']
  for (const kind of ['scim token', 'scim off']) t.strictSame(parseCommand(kind.split(' ')), { kind })
  t.strictSame(parseCommand(['keys', 'rotate']), { kind: 'keys rotate', kinds })
  const some = parseCommand(['keys', 'rotate', '--only', 'sessions, addresses'])
  t.strictSame(some, { kind: 'keys rotate', kinds: ['addresses', 'sessions'] })
  for (const args of [['--help'], ['user', 'create', '-h'], ['nonsense', '--help']]) {
    t.strictSame(parseCommand(args), { kind: 'help' })
  }
})

t.test('[CLI2] an error in the arguments is described in one line', async (t) => {
  const without = (option: string) => user.toSpliced(user.indexOf(option), 2)
  const replacing = (option: string, value: string) => [...without(option), `${option}=${value}`]
  const cases: [args: string[], message: RegExp][] = [
    [['backup'], /^the FILE is missing$/],
    [['check', 'a'], /^check takes no FILE: a$/],
    [['check', '--export', 'a'], /^--with must be the path of another export$/],
    [['check', '--with', 'a'], /^--export must be the path of an export$/],
    [['restore', 'a', 'b'], /^only one FILE is allowed, not also b$/],
    [['backup', 'a', '--replace'], /--replace/],
    [[], /^no command given: use one of user create, /],
    [['user'], /^unknown command 'user'/],
    [['toString', ''], /^unknown command 'toString '/],
    [['user', 'list', '--all'], /^Unknown option '--all'$/],
    [['user', 'list', 'all'], /^Unexpected argument 'all'$/],
    [['user', 'deactivate', '--email'], /^Option '--email <value>' argument missing$/],
    [['user', 'deactivate', '--email', 'a@b.c', '--email', 'd@e.f'], /^--email is given twice$/],
    [['user', 'rotate-key'], /^--email is missing$/],
    [
      ['keys', 'rotate', '--only', 'sessions,all'],
      /^--only must be one or more of addresses, invitations, api-keys, /,
    ],
    [['keys', 'rotate', '--only', ''], /^--only must be one or more of /],
    [['user', 'set-role', '--email', 'a@b.c'], /^--role is missing: one of owner, /],
    [
      ['organization', 'create', '--name', 'Ours', '--instead-of-demo'],
      /^--instead-of-demo cannot be used with --name: people enter it at the link$/,
    ],
    [[...user, '--password', '-secret-secret'], /^Option '--password' argument is ambiguous$/],
    [without('--email'), /^--email is missing$/],
    [without('--name'), /^--name is missing$/],
    [without('--role'), /^--role is missing: one of owner, administrator, moderator, member, guest$/],
    [replacing('--role', 'Owner'), /^--role must be one of owner, /],
    [replacing('--role', 'toString'), /^--role must be one of owner, /],
    [replacing('--name', ' \t'), /^--name must not be empty$/],
    [replacing('--name', 'x'.repeat(101)), /^--name is longer than 100 characters$/],
    [replacing('--name', 'a\u{85}b'), /^--name has an invisible character$/],
    [[...user, '--password', 'correct horse'], /^process lists show --password: use --password-stdin, /],
    [['user', 'set-password', '--email=a@b.c', '--password=correct horse'], /^process lists show --password/],
    [[...user, '--bot', '--owner', 'a@b.c', '--password-stdin'], /^a bot has no password/],
    [[...user, '--bot'], /^--owner is missing$/],
    [[...user, '--owner', 'a@b.c'], /^--owner is for bots/],
    [['audit', 'list', '--kind', 'stream/create,message'], /^--kind must be one or more of delete_message, /],
    [['import', 'slack', 'a.zip', '--channel', 'town'], /^--channel must be NAME_THERE=NAME_HERE$/],
    [['import', 'slack', 'a.zip', '--channel', 'town='], /^--channel must be NAME_THERE=NAME_HERE$/],
    [['import', 'slack', 'a.zip', '--channel', 'a=b', '--channel', 'a=c'], /^--channel names a twice$/],
    [
      ['import', 'slack', 'a.zip', '--channel', `a=${'x'.repeat(61)}`],
      /^--channel has a name of more than 60 characters$/,
    ],
    [['audit', 'list', '--since', 'yesterday'], /^--since must be a date such as /],
    [['audit', 'list', '--until', '2026-13-01'], /^--until must be a date such as /],
    [['audit', 'list', '--before', '0'], /^--before must be a number from 1 to /],
    [['audit', 'list', '--limit', '10001'], /^--limit must be a number from 1 to 10000$/],
    [
      ['organization', 'create', '--name', 'x', '--description', 'x'.repeat(1_001)],
      /^--description is longer than 1000 characters$/,
    ],
  ]
  for (const [args, message] of cases) {
    t.throws(() => parseCommand(args), { name: 'UsageError', message }, args.join(' '))
  }
  for (const email of [
    '',
    'ann',
    'ann@',
    '@example.com',
    'a b@c.d',
    'a:b@c.d',
    'a,b@c.d',
    'a@b@c',
    'a@-b.c',
  ]) {
    t.throws(() => parseCommand(replacing('--email', email)), /^--email must be an email address/, email)
  }
  t.throws(() => parseCommand(replacing('--email', `${'x'.repeat(65)}@example.com`)), UsageError)
  t.throws(() => parseCommand(replacing('--email', `x@${'y.'.repeat(126)}y`)), /longer than 254/)
})
