/** Installations for production delete parts of packages; a server runs without them. */

import { execFile } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { prunePackages, UNUSED_PARTS } from '../../bin/prune-packages.mjs'
import { connect } from '../../db/connection/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { startWebProcess } from '../cluster/start-web-process.ts'
import { readLock } from '../complete-lock.ts'
import { Client } from '../harness/client/client.ts'
import { ACCOUNTS, createPeople, emailOf } from '../harness/servers/start-server.ts'
import { drawImage, mustUpload } from '../harness/client/upload.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Links the files of a folder into another, without the packages inside packages. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory() && entry.name !== 'node_modules') linkFolder(source, target)
    else if (!entry.isDirectory()) linkSync(source, target)
  }
}

/** The folders in the image. */
function copiedFolders(): string[] {
  const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')
  return [...dockerfile.matchAll(/^COPY (\w+) /gm)].map(([, folder]) => folder as string)
}

t.test(
  '[PRUNE1] a server of the files in the image, on pruned packages, has a database, a client, pictures and its reference',
  async (t) => {
    // Links need the clone's own disk.
    mkdirSync(join(ROOT, '.toolchain'), { recursive: true })
    const root = mkdtempSync(join(ROOT, '.toolchain/pruned-'))
    t.teardown(() => rmSync(root, { recursive: true }))
    for (const folder of copiedFolders()) linkFolder(join(ROOT, folder), join(root, folder))
    linkSync(join(ROOT, 'package.json'), join(root, 'package.json'))
    for (const [folder, { dev }] of Object.entries(readLock().packages)) {
      const isThere = folder !== '' && !dev && existsSync(join(ROOT, folder))
      if (isThere) linkFolder(join(ROOT, folder), join(root, folder))
    }
    const packages = join(root, 'node_modules')
    const parts = Object.entries(UNUSED_PARTS).flatMap(([name, all]) =>
      all.map((part) => join(packages, name, part)),
    )
    t.same(
      parts.filter((part) => !existsSync(part)),
      [],
      'all are there before',
    )
    prunePackages(packages)
    t.same(parts.filter(existsSync), [])
    t.notOk(existsSync(join(packages, 'postgres/types/index.d.ts')))
    const fonts = readdirSync(join(packages, '@fontsource/inter/files'))
    t.ok(fonts.length > 0 && fonts.every((name) => name.endsWith('-600-normal.woff')))

    rmSync(join(root, 'client/dist'), { recursive: true, force: true })
    await promisify(execFile)(process.execPath, [join(root, 'client/build.ts')], {
      env: { PATH: process.env.PATH },
    })

    const lazy = ['nodemailer', 'openid-client', '@simplewebauthn/server', '@tus/server', 'aws4', 'otpauth']
    await Promise.all(lazy.map((name) => import(import.meta.resolve(name, pathToFileURL(`${root}/`)))))

    // As npm start does, with the database of its own.
    const own = mkdtempSync(join(tmpdir(), 'parley-pruned-'))
    t.teardown(() => rmSync(own, { recursive: true }))
    const { launchPostgres } = await import(join(root, 'server/services/launch-postgres.ts'))
    const postgres = await launchPostgres({ dataFolder: own })
    t.teardown(() => postgres.close())
    const sql = connect(postgres.url, 1)
    await migrate(sql)
    await sql.end()
    await createPeople(postgres.url)

    const settings = { DATABASE_URL: postgres.url, DATA_DIR: join(root, 'data') }
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
    const drawn = new URL(members[0].avatar_url ?? '', url).pathname
    for (const path of [drawn, '/', '/docs', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css']) {
      const answer = await fetch(`${url}${path}`)
      t.equal(answer.status, 200, path)
      await answer.arrayBuffer() // An unread body would hold its connection open.
    }
  },
)
