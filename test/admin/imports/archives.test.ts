/** Archives of all kinds: with very many entries, and far behind 4 GiB. */

import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { type Archive, filterNames, type Refuse } from '../../../server/changes/imports/archive.ts'
import { EntryTable } from '../../../server/changes/imports/entry-table.ts'
import { FolderArchive } from '../../../server/changes/imports/folder-archive.ts'
import { openArchive } from '../../../server/changes/imports/open-archive.ts'
import { countBelow, SortedNumbers } from '../../../server/changes/imports/sorted-numbers.ts'
import { TarArchive } from '../../../server/changes/imports/tar-archive.ts'
import { ZipArchive } from '../../../server/changes/imports/zip-archive.ts'
import { makeFolder } from '../../harness/client/tus.ts'
import { makeTar } from '../../harness/files/write-tar.ts'
import { makeZip } from '../../harness/files/write-zip.ts'
import { retainedBytes } from '../../harness/servers/retained-bytes.ts'

const ENTRIES = 66_000
/** For its place and its hash, with the room to grow; as objects they took some 250. */
const ENTRY_BYTES_MAX = 32
/** Behind 4 GiB; the file has a hole there, and takes no room. */
const FAR_BYTES = 5 * 1024 ** 3

type Files = readonly { readonly name: string; readonly content: string }[]

const KINDS = {
  zip: {
    make: (files: Files) => makeZip(files),
    open: (path: string, refuse: Refuse) => ZipArchive.open(path, refuse),
  },
  tar: {
    make: (files: Files) => makeTar(files),
    open: (path: string, refuse: Refuse) => TarArchive.open(path, refuse),
  },
} as const

const textOf = async (archive: Archive, name: string) => String(await (await archive.find(name))?.read())

for (const [kind, { make, open }] of Object.entries(KINDS)) {
  t.test(
    `[ARCHIVE1] an entry of a ${kind} takes a few bytes of memory, and is found by its name`,
    async (t) => {
      const path = join(await makeFolder(t), `many.${kind}`)
      const nameOf = (number: number) => `__uploads/F${number}/a file with a name that is not short ${number}`
      const files = Array.from({ length: ENTRIES }, (_, number) => ({
        name: nameOf(number),
        content: String(number),
      }))
      writeFileSync(path, make(files))
      let archive: Archive | undefined
      const bytes = await retainedBytes(async () => {
        archive = await open(path, (name) => t.fail(name))
        return archive
      })
      if (!archive) throw new Error('it is open')
      t.teardown(() => archive?.close())
      t.ok(bytes / ENTRIES < ENTRY_BYTES_MAX, `${bytes / ENTRIES} bytes`)
      t.same(
        await filterNames(archive, () => true),
        files.map(({ name }) => name),
      )
      for (const number of [0, 1, 65_535, 65_536, ENTRIES - 1]) {
        t.equal((await archive.find(nameOf(number)))?.name, nameOf(number))
        t.equal(await textOf(archive, nameOf(number)), String(number))
      }
      t.equal(await archive.find(nameOf(ENTRIES)), undefined)
    },
  )

  t.test(
    `[ARCHIVE2] of several entries of a ${kind} with one name the last one counts, and the others are reported`,
    async (t) => {
      const path = join(await makeFolder(t), `twice.${kind}`)
      const refused: string[] = []
      const contents = ['one', 'two', 'three']
      const files = contents.map((content) => ({ name: 'a.json', content }))
      writeFileSync(
        path,
        make([{ name: 'first.json', content: '1' }, ...files, { name: 'z.json', content: '2' }]),
      )
      const archive = await open(path, (name, reason) => refused.push(`${name}: ${reason}`))
      t.teardown(() => archive.close())
      t.same(refused, Array(2).fill('a.json: a later entry has the same name'))
      t.same(await filterNames(archive, () => true), ['first.json', 'a.json', 'z.json'])
      t.equal(await textOf(archive, 'a.json'), 'three')
    },
  )
}

t.test('[ARCHIVE3] a folder is listed as it is on the disk, without links, and holds no names', async (t) => {
  const root = await makeFolder(t)
  const names = ['a.json', 'b/c.json', 'b/d/e.json']
  for (const name of names) {
    mkdirSync(dirname(join(root, 'export', name)), { recursive: true })
    writeFileSync(join(root, 'export', name), name)
  }
  writeFileSync(join(root, 'outside.json'), 'secret')
  symlinkSync(join(root, 'outside.json'), join(root, 'export', 'link.json'))
  symlinkSync(root, join(root, 'export', 'up'))
  const archive = new FolderArchive(join(root, 'export'))
  t.same((await filterNames(archive, () => true)).sort(), names)
  for (const name of names) t.equal(await textOf(archive, name), name)
  for (const name of ['link.json', 'up/outside.json', '../outside.json', 'b', 'none', ''])
    t.equal(await archive.find(name), undefined, name)
})

t.test('[ARCHIVE4] a zip is read whose entries and directory begin behind 4 GiB', async (t) => {
  const path = join(await makeFolder(t), 'far.zip')
  const files = [
    { name: 'a.json', content: '[1]' },
    { name: 'b.json', content: 'x'.repeat(5_000) },
  ]
  const descriptor = openSync(path, 'w')
  writeSync(descriptor, makeZip(files, FAR_BYTES), 0, null, FAR_BYTES)
  closeSync(descriptor)
  const archive = await ZipArchive.open(path, (name) => t.fail(name))
  t.teardown(() => archive.close())
  t.same(await filterNames(archive, () => true), ['a.json', 'b.json'])
  for (const { name, content } of files) {
    t.equal(await textOf(archive, name), content)
    let streamed = ''
    for await (const part of (await archive.find(name))?.stream() ?? []) streamed += part.toString()
    t.equal(streamed, content)
  }
})

t.test('[ARCHIVE5] the kind of an archive is what its bytes say, whatever its name says', async (t) => {
  const root = await makeFolder(t)
  const files = [{ name: 'a.json', content: 'here' }]
  mkdirSync(join(root, 'folder.zip'))
  writeFileSync(join(root, 'folder.zip', 'a.json'), 'here')
  const kinds = { 'zip.tar': makeZip(files), 'tar.zip': makeTar(files), packed: gzipSync(makeTar(files)) }
  for (const [name, bytes] of Object.entries(kinds)) writeFileSync(join(root, name), bytes)
  for (const name of [...Object.keys(kinds), 'folder.zip']) {
    const lose = () => t.fail(name)
    const archive = await openArchive(join(root, name), lose, async (opened) => opened)
    t.equal(await textOf(archive, 'a.json'), 'here', name)
    await archive.close()
  }
})

t.test(
  '[ARCHIVE6] entries are found by a part of their names, and the last one of a part counts',
  async (t) => {
    const table = await EntryTable.create(1, (name) => name.split('/')[1])
    t.teardown(() => table.close())
    for (const [number, name] of ['x/one', 'y/two', 'z/one'].entries())
      await table.add(name, [number / 3 + 2 ** 40], name.split('/')[1])
    t.same(await table.find('one'), { name: 'z/one', numbers: [2 / 3 + 2 ** 40] })
    t.same(
      (await table.findAll('one')).map(({ name }) => name),
      ['z/one', 'x/one'],
    )
    t.same(await table.findAll('none'), [])
    t.same(await table.find('two'), { name: 'y/two', numbers: [1 / 3 + 2 ** 40] })
    t.equal(await table.find('x/one'), undefined)
    await table.add('v/three', [3], 'three')
    t.same(await table.find('three'), { name: 'v/three', numbers: [3] })
  },
)

t.test('[ARCHIVE7] numbers are sorted in parts as they are at once', async (t) => {
  for (const count of [0, 1, 65_536, 65_537, 131_072, 200_000]) {
    const numbers = new SortedNumbers()
    const all = Float64Array.from({ length: count }, (_, index) => (index * 7_919) % 100_003)
    for (const number of all) numbers.add(number)
    t.same(
      Buffer.from((await numbers.sorted()).slice().buffer),
      Buffer.from(all.sort().buffer),
      String(count),
    )
    numbers.add(-1)
    const sorted = await numbers.sorted()
    t.equal(sorted[0], -1)
    t.equal(countBelow(sorted, 0), 1)
    t.equal(countBelow(sorted, Number.POSITIVE_INFINITY), count + 1)
  }
})
