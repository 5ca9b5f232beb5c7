/** Archives with very many entries. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ZipArchive } from '../../../server/changes/imports/zip-archive.ts'
import { makeFolder } from '../../harness/client/tus.ts'
import { makeZip } from '../../harness/files/write-zip.ts'
import { retainedBytes } from '../../harness/servers/retained-bytes.ts'

const ENTRIES = 66_000
/** For its place and its hash, with the room to grow; as objects they took some 250. */
const ENTRY_BYTES_MAX = 32

t.test('[ZIP1] an entry takes a few bytes of memory, and is found by its name or a part of it', async (t) => {
  const path = join(await makeFolder(t), 'many.zip')
  const nameOf = (number: number) => `__uploads/F${number}/a file with a name that is not short ${number}.txt`
  const files = Array.from({ length: ENTRIES }, (_, number) => ({
    name: nameOf(number),
    content: String(number),
  }))
  writeFileSync(path, makeZip(files))
  let archive: ZipArchive | undefined
  const bytes = await retainedBytes(async () => {
    archive = await ZipArchive.open(path, (name) => t.fail(name))
    return archive
  })
  if (!archive) throw new Error('it is open')
  const { names } = archive
  t.teardown(() => archive?.close())
  t.ok(bytes / ENTRIES < ENTRY_BYTES_MAX, `${bytes / ENTRIES} bytes`)
  t.same(
    [...names],
    files.map(({ name }) => name),
  )
  for (const number of [0, 1, 65_535, 65_536, ENTRIES - 1]) {
    const entry = archive.find(nameOf(number))
    t.equal(entry?.name, nameOf(number))
    t.equal(String(await archive.read(entry as never)), String(number))
  }
  t.equal(archive.find(nameOf(ENTRIES)), undefined)
  const find = archive.indexNames((name) => /^__uploads\/(F\d+[05])\//.exec(name)?.[1])
  t.equal(find('F65535'), nameOf(65_535))
  t.equal(find('F65536'), undefined, 'it has no such part')
})

t.test(
  '[ZIP2] of several entries with one name the last one counts, and the others are reported',
  async (t) => {
    const path = join(await makeFolder(t), 'twice.zip')
    const refused: string[] = []
    const contents = ['one', 'two', 'three']
    const files = contents.map((content) => ({ name: 'a.json', content }))
    writeFileSync(
      path,
      makeZip([{ name: 'first.json', content: '1' }, ...files, { name: 'z.json', content: '2' }]),
    )
    const archive = await ZipArchive.open(path, (name, reason) => refused.push(`${name}: ${reason}`))
    t.teardown(() => archive.close())
    t.same(refused, Array(2).fill('a.json: a later entry has the same name'))
    t.same([...archive.names], ['first.json', 'a.json', 'z.json'])
    t.equal(String(await archive.read({ name: 'a.json', size: 0 })), 'three')
  },
)
